import { TrackerError } from '../../../core/errors.ts';

/** Files on their way at the same time, whichever stories they are of. */
export const AT_ONCE = 2;

/** So many may work at a time; the others wait for their turn in the order in which they came. */
export class Semaphore {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(count: number) {
    this.free = count;
  }

  /** @throws TrackerError `cancelled` when the signal comes before the turn. */
  async hold<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.turn(signal);
    try {
      return await work();
    } finally {
      this.free++;
      this.waiting.shift()?.();
    }
  }

  private async turn(signal: AbortSignal): Promise<void> {
    while (this.free === 0 && !signal.aborted) await this.change(signal);
    if (signal.aborted) {
      this.waiting.shift()?.();
      throw new TrackerError('cancelled', 'Canceled.');
    }
    this.free--;
  }

  private change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        signal.removeEventListener('abort', aborted);
        resolve();
      };
      const aborted = () => {
        const index = this.waiting.indexOf(done);
        if (index >= 0) this.waiting.splice(index, 1);
        done();
      };
      this.waiting.push(done);
      signal.addEventListener('abort', aborted, { once: true });
    });
  }
}

export type Outcome<T, R> =
  | { readonly item: T; readonly status: 'done'; readonly value: R }
  | { readonly item: T; readonly status: 'failed'; readonly error: unknown };

/**
 * Runs every item, at most `limit` at a time, and tells how each went in the order given. Once an error `endsAll`, items
 * that were not begun fail with that error.
 */
export async function mapWithLimit<T, R>(
  items: readonly T[],
  limit: number,
  run: (item: T) => Promise<R>,
  endsAll: (error: unknown) => boolean,
): Promise<readonly Outcome<T, R>[]> {
  const outcomes = new Map<T, Outcome<T, R>>();
  const waiting = [...items];
  let ended: { readonly error: unknown } | undefined;
  const work = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      const outcome = ended ? failed(item, ended.error) : await outcomeOf(item, run);
      if (outcome.status === 'failed' && endsAll(outcome.error)) ended ??= { error: outcome.error };
      outcomes.set(item, outcome);
    }
  };
  await Promise.all(Array.from({ length: limit }, work));
  return items.flatMap((item) => outcomes.get(item) ?? []);
}

async function outcomeOf<T, R>(item: T, run: (item: T) => Promise<R>): Promise<Outcome<T, R>> {
  try {
    return { item, status: 'done', value: await run(item) };
  } catch (error) {
    return failed(item, error);
  }
}

function failed<T>(item: T, error: unknown): { readonly item: T; readonly status: 'failed'; readonly error: unknown } {
  return { item, status: 'failed', error };
}

const TRIES = 5;
/** Milliseconds; a server that asks for more patience than this is better told to the person. */
const LONGEST = 60_000;

/** What sending again needs. */
interface Patience {
  /** Milliseconds; rejects when the person gives up. */
  readonly wait: (pause: number) => Promise<void>;
  /** Whether the server has certainly not taken what it answered so. */
  readonly isSafe: (error: TrackerError) => Promise<boolean>;
}

/** Sends again what a server was too busy to take, as long as it says when it will be. @throws whatever `send` threw last. */
export async function whenNotBusy<T>(send: () => Promise<T>, { wait, isSafe }: Patience): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof TrackerError) || error.kind !== 'busy' || tried === TRIES) throw error;
      const { retryAfter } = error;
      if (retryAfter === undefined || retryAfter > LONGEST) throw error;
      await wait(retryAfter);
      if (!(await isSafe(error))) throw error;
    }
  }
}

interface ByteCountReport {
  readonly sent: number;
  readonly total: number;
  /** Whole percent, 0 to 100. */
  readonly percent: number;
  /** Percent since the report before; never negative, and never more than 100 in all. */
  readonly increment: number;
}

/** Adds up what several uploads have sent. A file whose upload ended without success counts no more as sent. */
export class ByteCount {
  private readonly total: number;
  private readonly sent = new Map<unknown, number>();
  private reported = 0;

  constructor(total: number) {
    this.total = total;
  }

  /** `sent` of the upload named `of`, so far. */
  count(of: unknown, sent: number): ByteCountReport {
    this.sent.set(of, sent);
    const sum = Math.min(
      this.total,
      [...this.sent.values()].reduce((all, one) => all + one, 0),
    );
    const percent = this.total === 0 ? 100 : Math.floor((sum / this.total) * 100);
    const increment = Math.max(0, percent - this.reported);
    this.reported += increment;
    return { sent: sum, total: this.total, percent, increment };
  }
}
