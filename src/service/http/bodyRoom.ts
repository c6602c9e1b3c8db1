import { Refusal } from '../refusal.ts';

/** Bytes from which a body counts. */
export const LONG_BODY = 64 * 1024;
/** Bytes of the long bodies that may be under way together, what is made of them included: that is several times as much. */
const CAPACITY = 8 * 1024 * 1024;
/** Milliseconds for which a body waits for room. */
const PATIENCE_MS = 10_000;

interface Waiting {
  readonly bytes: number;
  readonly enter: () => void;
}

/**
 * Room for the long bodies of requests, from their first bytes until they are answered: together they take so much memory and no more,
 * however many are sent at once. Those that find none wait in turn, and are not read meanwhile.
 */
export class BodyRoom {
  private readonly line: Waiting[] = [];
  private readonly capacity: number;
  private readonly patience: number;
  private taken = 0;

  constructor(capacity = CAPACITY, patience = PATIENCE_MS) {
    this.capacity = capacity;
    this.patience = patience;
  }

  /** Resolves when there is room, with what gives it back. Throws `Refusal` 503 when there is none for too long. */
  async enter(bytes: number): Promise<() => void> {
    if (this.line.length > 0 || !this.fits(bytes)) await this.turn(bytes);
    else this.taken += bytes;
    let isLeft = false;
    return () => {
      if (isLeft) return;
      isLeft = true;
      this.taken -= bytes;
      this.letIn();
    };
  }

  private turn(bytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = { bytes, enter: resolve };
      this.line.push(waiting);
      const giveUp = (): void => {
        const at = this.line.indexOf(waiting);
        if (at < 0) return;
        this.line.splice(at, 1);
        reject(crowded());
        this.letIn();
      };
      setTimeout(giveUp, this.patience).unref();
    });
  }

  private letIn(): void {
    for (let first = this.line[0]; first && this.fits(first.bytes); first = this.line[0]) {
      this.line.shift();
      this.taken += first.bytes;
      first.enter();
    }
  }

  private fits(bytes: number): boolean {
    return this.taken === 0 || this.taken + bytes <= this.capacity;
  }
}

function crowded(): Refusal {
  return new Refusal(
    503,
    'As many long requests are under way as this service takes at once. Nothing was changed. Try again in a moment.',
    { 'Retry-After': '2' },
  );
}
