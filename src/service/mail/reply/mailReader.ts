import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { IncomingMail } from './incomingMail.ts';
import type { ReadAnswer } from './readingThread.ts';

/** A mail that nobody can read, in words for its sender. */
export class UnreadableMail extends Error {
  override readonly name = 'UnreadableMail';
}

interface ReaderLimits {
  /** Milliseconds for one mail. */
  readonly time: number;
  /** MiB of what a mail is taken apart into, its bytes apart: a last resort, since what a mail may have is limited. */
  readonly memory: number;
  /** Milliseconds without a mail after which the thread is ended. */
  readonly idle: number;
}

const LIMITS: ReaderLimits = { time: 60_000, memory: 512, idle: 60_000 };

/** MiB of what is new: each line makes garbage, which would otherwise be let grow to several times as much. */
const YOUNG = 8;
/** Bytes of a mail after which the thread is ended at once, since it would keep several times their memory. */
const SHORT = 4 * 1024 * 1024;

/** Takes mails apart in a thread of its own, one after the other, so that a long one holds up nobody but other mails. */
export class MailReader {
  private readonly limits: ReaderLimits;
  private thread: Worker | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private idle: NodeJS.Timeout | undefined;

  constructor(limits = LIMITS) {
    this.limits = limits;
  }

  /** Reads the mail of a file. Throws `UnreadableMail` for what takes too much time or memory, too, and when the thread cannot be started. */
  read(path: string): Promise<IncomingMail> {
    const reading = this.last.then(() => this.readNow(path));
    this.last = reading.catch(() => undefined);
    return reading;
  }

  /** What is being read then fails. */
  async stop(): Promise<void> {
    clearTimeout(this.idle);
    if (this.thread) await this.end(this.thread);
  }

  private async readNow(path: string): Promise<IncomingMail> {
    clearTimeout(this.idle);
    const { size } = await stat(path);
    const thread = this.running();
    try {
      return await this.answered(thread, path);
    } finally {
      if (size > SHORT) await this.end(thread);
      else this.idle = setTimeout(() => void this.end(thread), this.limits.idle).unref();
    }
  }

  private answered(thread: Worker, path: string): Promise<IncomingMail> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMail>();
    const settled = ({ mail, failure }: ReadAnswer): void => {
      if (mail) resolve(mail);
      else reject(new UnreadableMail(failure));
    };
    const failed = (error: Error): void => reject(asFailure(error));
    const gone = (): void => reject(new Error('The thread that reads mails ended.'));
    const late = setTimeout(() => {
      reject(new UnreadableMail('it takes too long'));
      void this.end(thread);
    }, this.limits.time);
    thread.once('message', settled).once('error', failed).once('exit', gone);
    thread.postMessage(path);
    return promise.finally(() => {
      clearTimeout(late);
      thread.off('message', settled).off('error', failed).off('exit', gone);
    });
  }

  private async end(thread: Worker): Promise<void> {
    if (this.thread === thread) this.thread = undefined;
    await thread.terminate();
  }

  private running(): Worker {
    if (this.thread) return this.thread;
    const thread = new Worker(threadFile(), {
      resourceLimits: { maxOldGenerationSizeMb: this.limits.memory, maxYoungGenerationSizeMb: YOUNG },
    });
    thread
      .on('error', () => undefined)
      .once('exit', () => {
        if (this.thread === thread) this.thread = undefined;
      });
    thread.unref();
    this.thread = thread;
    return thread;
  }
}

function asFailure(error: Error): Error {
  const isFull = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isFull ? new UnreadableMail('it takes too much memory') : error;
}

/** Beside this part as it ships, or this file as it was written. */
function threadFile(): string {
  const here: string | undefined = import.meta.url;
  if (here === undefined) return join(__dirname, 'mailReader.js');
  return fileURLToPath(new URL('./readingThread.ts', here));
}
