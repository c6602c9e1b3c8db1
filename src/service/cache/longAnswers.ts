import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { Refusal } from '../ground/errors.ts';
import type { FileBody, HeldBody, Reply } from '../http/reply.ts';
import { TurnsOfUsers } from '../memory/sharedWork.ts';
import { type Document, writeAnswer, writtenChunks } from './answer.ts';

/** Answers that are made for one user at a time. */
const MADE_AT_ONCE = 2;
/** Of one user, and of all: each holds the text of some stories, for as long as its reader takes. */
const MOST_OF_USER = 2;
const MOST = 16;
/** Milliseconds for which it is known that anyone was refused. */
const REFUSED_MS = 10_000;
const COMPRESSION = { level: 4, chunkSize: 64 * 1024 };

/** Answers that take long to be made, and those that are too long to be held, under way to their readers. */
export class LongAnswers {
  private readonly users = new Map<number, number>();
  private readonly turns = new TurnsOfUsers(MADE_AT_ONCE);
  private total = 0;
  private refusedAt = Number.NEGATIVE_INFINITY;

  /** Does work that makes an answer, when its turn among those of the user comes. */
  inTurn<T>(userId: number, work: () => Promise<T>): Promise<T> {
    return this.turns.take(userId, work);
  }

  /** The body of a document that `make` makes; undefined where it is too long to be held, and `body` gives it. */
  async whole(userId: number, make: () => Promise<Document>): Promise<Buffer | HeldBody | undefined> {
    return (await this.inTurn(userId, async () => writeAnswer(await make())))?.body;
  }

  /**
   * The same for the answer to a change that `work` does. It cannot be refused any more once the change is done, so where it is expected to
   * be long its place is taken before: throws `Refusal` 503, and nothing is changed, where there is none.
   */
  async afterChange(
    userId: number,
    isLong: boolean,
    work: () => Promise<() => Promise<Document>>,
  ): Promise<Reply['body']> {
    let release = isLong ? this.begin(userId, refusedChange) : undefined;
    try {
      const make = await work();
      const answer = await this.inTurn(userId, async () => writeAnswer(await make()));
      if (!answer) {
        release ??= this.beginAnyway(userId); // It became long in the meantime.
        return this.bodyOf(await make(), false, release);
      }
      release?.();
      return answer.body;
    } catch (error) {
      release?.();
      throw error;
    }
  }

  /**
   * The body of a document that `make` makes: written while it is sent, and no faster than it is read. Throws `Refusal` 503 where as
   * many are under way as may be.
   */
  async body(userId: number, isGzip: boolean, make: () => Promise<Document>): Promise<FileBody> {
    const release = this.begin(userId, refusedList);
    try {
      return this.bodyOf(await make(), isGzip, release);
    } catch (error) {
      release();
      throw error;
    }
  }

  private begin(userId: number, refusal: () => Refusal): () => void {
    if ((this.users.get(userId) ?? 0) >= MOST_OF_USER) throw refusal();
    if (this.total >= MOST) {
      this.refusedAt = performance.now();
      throw refusal();
    }
    return this.beginAnyway(userId);
  }

  private beginAnyway(userId: number): () => void {
    this.users.set(userId, (this.users.get(userId) ?? 0) + 1);
    this.total += 1;
    return () => {
      const left = (this.users.get(userId) ?? 1) - 1;
      if (left === 0) this.users.delete(userId);
      else this.users.set(userId, left);
      this.total -= 1;
    };
  }

  private bodyOf(document: Document, isGzip: boolean, release: () => void): FileBody {
    const isInTheWay = () => performance.now() - this.refusedAt < REFUSED_MS;
    return { size: undefined, open: () => opened(document, isGzip, release), discard: release, isInTheWay };
  }
}

function opened(document: Document, isGzip: boolean, release: () => void): Readable {
  const source = Readable.from(writtenChunks(document), { highWaterMark: 1 }).once('close', release);
  if (!isGzip) return source;
  return pipeline(source, createGzip(COMPRESSION), () => undefined); // Whoever reads is told of an error by what they read.
}

function refusedList(): Refusal {
  return tooMany('Try again in a moment, or request a part with limit and offset.');
}

/** Its answer is of all that was changed. */
function refusedChange(): Refusal {
  return tooMany(
    'Nothing was changed. Read the lists that are on their way to you, or close them. Try again in a moment.',
  );
}

function tooMany(mend: string): Refusal {
  return new Refusal(503, `The service is sending too many long lists. ${mend}`, { 'Retry-After': '5' });
}
