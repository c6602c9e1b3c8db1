import { setTimeout as wait } from 'node:timers/promises';
import { S3mini, S3ServiceError } from 's3mini';
import { messageOf } from '../../core/errors.ts';
import { StoreUnavailable, UsageError } from '../ground/errors.ts';
import type { StoredFile } from './attachmentFiles.ts';
import type { BucketAddress } from './bucketAddress.ts';
import { BATCH, FILES_GONE } from './incomingFiles.ts';

/** How fast a store must be. */
interface StorePace {
  /** Milliseconds in which it begins its answer, once it has what was sent. */
  readonly answer: number;
  /** Bytes a second that it takes of what is sent. */
  readonly rate: number;
}

export const USUAL_PACE: StorePace = { answer: 30_000, rate: 64 * 1024 };
/** Bytes of what a store says to a request that it refuses. */
const LONGEST_REFUSAL = 64 * 1024;
/** Bytes from which a file is sent in parts of this size, four at a time: of one file then, so that memory does not grow with the uploads. */
export const PART = 8 * 1024 * 1024;
const TYPE = 'application/octet-stream';
const MOST_TRIES = 4;
const FIRST_PAUSE_MS = 100;
/** The part of a bucket whose keys begin with a prefix. Whatever it does not answer is a `StoreUnavailable`. */
export class Bucket {
  /** Without anything secret. */
  readonly name: string;
  private readonly prefix: string;
  private readonly store: S3mini;
  private readonly pace: StorePace;
  /** Milliseconds by which the store's clock is ahead of ours, as of its last answer. */
  private ahead = 0;

  constructor({ name, prefix, endpoint, region, accessKeyId, secretAccessKey }: BucketAddress, pace: StorePace) {
    this.name = name;
    this.prefix = prefix;
    this.pace = pace;
    const fetch: typeof globalThis.fetch = (input, init) => this.fetch(input, init);
    this.store = new S3mini({ endpoint, region, accessKeyId, secretAccessKey, minPartSize: PART, fetch });
  }

  /** Says in words why there is no such bucket, or none for these credentials. */
  async requireThere(): Promise<void> {
    const first = await this.tried(() => this.store.listObjectsPaged('/', this.prefix, 1)).catch((error: unknown) => {
      throw new UsageError(openTrouble(error, this.name));
    });
    if (first) return;
    throw new UsageError(
      `Could not find the bucket of ${this.name}. Create it first, or pass another one with --files.`,
    );
  }

  put(key: string, file: Blob): Promise<unknown> {
    return this.asked(() => this.store.putAnyObject(this.prefix + key, file, TYPE), this.timeToTake(file.size));
  }

  /** Undefined where there is none. */
  async get(key: string): Promise<Response | undefined> {
    return (await this.asked(() => this.store.getObjectResponse(this.prefix + key))) ?? undefined;
  }

  /** A short text of our own. */
  async text(key: string): Promise<string | undefined> {
    return (await this.asked(() => this.store.getObject(this.prefix + key))) ?? undefined;
  }

  /** What changes with each writing. */
  async tag(key: string): Promise<string | undefined> {
    return (await this.asked(() => this.store.getEtag(this.prefix + key))) ?? undefined;
  }

  async sizeOf(key: string): Promise<number | undefined> {
    return this.asked(async () => {
      try {
        return await this.store.getContentLength(this.prefix + key);
      } catch (error) {
        if (statusOf(error) === 404) return undefined;
        throw error;
      }
    });
  }

  async remove(key: string): Promise<void> {
    await this.asked(() => this.store.deleteObject(this.prefix + key));
  }

  async now(): Promise<number> {
    await this.tag('database.json');
    return Date.now() + this.ahead;
  }

  /** What there is, by names without what was asked for and the prefix, some at a time. */
  async *lists(start: string): AsyncGenerator<readonly StoredFile[]> {
    const prefix = this.prefix + start;
    let token: string | undefined;
    do {
      const page = await this.asked(() => this.store.listObjectsPaged('/', prefix, BATCH, token));
      yield (page?.objects ?? []).map(({ Key, Size, LastModified }) => ({
        name: Key.slice(prefix.length),
        bytes: Number(Size),
        changedAt: new Date(LastModified).getTime(),
      }));
      token = page?.nextContinuationToken;
    } while (token !== undefined);
  }

  /** `sending` are the milliseconds for what is sent. What was not answered in time is not asked again: others wait for it. */
  private tried<T>(ask: () => Promise<T>, sending = 0): Promise<T> {
    const latest = performance.now() + this.pace.answer + sending;
    // The client asks for parts of a file again by itself, and again.
    const once = () => within(2 * this.pace.answer + sending, ask());
    return withRetries(once, () => performance.now() < latest);
  }

  private async asked<T>(ask: () => Promise<T>, sending?: number): Promise<T> {
    try {
      return await this.tried(ask, sending);
    } catch (error) {
      const cause = new Error(`${this.name}: ${messageOf(error)}`, { cause: error });
      throw new StoreUnavailable(FILES_GONE, { cause });
    }
  }

  /** Milliseconds in which so many bytes have to be taken. */
  private timeToTake(bytes: number): number {
    return (bytes / this.pace.rate) * 1000;
  }

  /** Follows nowhere. The bytes of a file may come as slowly as whoever reads it takes them; all else has its time. */
  private async fetch(input: Parameters<typeof globalThis.fetch>[0], init: RequestInit = {}): Promise<Response> {
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(tooLate()), this.pace.answer + this.timeToTake(bytesOf(init.body)));
    try {
      const answer = await globalThis.fetch(input, { ...init, redirect: 'error', signal: ending.signal });
      const date = Date.parse(answer.headers.get('date') ?? '');
      if (!Number.isNaN(date)) this.ahead = date - Date.now();
      return answer.ok ? answer : await shortRefusal(answer);
    } finally {
      clearTimeout(timer);
    }
  }
}

function tooLate(): Error {
  return new Error('The store did not answer in time.');
}

/** The same, or an error after so many milliseconds; what comes of it then is nobody's concern. */
async function within<T>(milliseconds: number, asked: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooLate()), milliseconds);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Of what is sent; all that is comes in one piece. */
function bytesOf(body: RequestInit['body']): number {
  if (typeof body === 'string') return Buffer.byteLength(body);
  if (body instanceof Blob) return body.size;
  return body instanceof ArrayBuffer || ArrayBuffer.isView(body) ? body.byteLength : 0;
}

/** The same answer with no more than the beginning of its text, which may be without end. */
async function shortRefusal({ status, statusText, headers, body }: Response): Promise<Response> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body ?? []) {
    pieces.push(piece);
    length += piece.length;
    if (length > LONGEST_REFUSAL) break;
  }
  return new Response(length > 0 ? Buffer.concat(pieces) : null, { status, statusText, headers });
}

/** All that is asked of a store may be asked again: a file of a name always has the same bytes. Stores answer 500 and 503 now and then. */
async function withRetries<T>(ask: () => Promise<T>, isInTime: () => boolean): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      const status = statusOf(error);
      if (tries === MOST_TRIES || !isInTime() || (status !== undefined && status < 500)) throw error;
      await wait(Math.random() * FIRST_PAUSE_MS * 2 ** tries);
    }
  }
}

/** The status with which a store refused, also where the client wrapped it. */
function statusOf(error: unknown): number | undefined {
  if (error instanceof S3ServiceError) return error.status;
  return error instanceof Error && error.cause !== undefined ? statusOf(error.cause) : undefined;
}

function openTrouble(error: unknown, name: string): string {
  const status = statusOf(error);
  if (status === 401 || status === 403) {
    return `The store of ${name} refused the credentials. Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and the region, and that they allow to list, read, write and delete objects.`;
  }
  return `Could not reach the bucket ${name}: ${messageOf(error)}. Check the endpoint of --files.`;
}
