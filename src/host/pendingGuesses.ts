import type { Backlog } from '../core/backlog.ts';
import { keyText, type ProjectKey } from './nodes.ts';

/** How a backlog will look once a change that is under way has been made. Applying it twice is as applying it once. */
export type Guess = (backlog: Backlog) => Backlog;

interface Pending {
  readonly guess: Guess;
  /** The server has taken the change; the guess stays until the project has been read again. */
  answered: boolean;
}

interface Queue {
  pending: readonly Pending[];
  last: Promise<unknown>;
}

/**
 * Changes on their way to a server: shown at once on top of what the server said, sent one at a time per project in
 * the order they were made, and taken back when refused.
 */
export class PendingGuesses {
  private readonly queues = new Map<string, Queue>();
  private readonly changed: (key: ProjectKey) => void;
  private readonly reload: (key: ProjectKey) => Promise<void>;

  /** `reload` reads the project again; asked for when the last change of a project has been answered. */
  constructor(changed: (key: ProjectKey) => void, reload: (key: ProjectKey) => Promise<void>) {
    this.changed = changed;
    this.reload = reload;
  }

  applied(key: ProjectKey, backlog: Backlog): Backlog {
    return this.queue(key).pending.reduce((shown, { guess }) => guess(shown), backlog);
  }

  /** Call before the project is read again; what it returns forgets the guesses that the answer then makes needless. */
  beforeReading(key: ProjectKey): () => void {
    const queue = this.queue(key);
    const answered = queue.pending.filter((one) => one.answered);
    return () => {
      queue.pending = queue.pending.filter((one) => !answered.includes(one));
    };
  }

  /** Resolves when the server has answered; rejects with what `send` threw, the guess taken back. */
  add<T>(key: ProjectKey, guess: Guess, send: () => Promise<T>): Promise<T> {
    const queue = this.queue(key);
    const pending: Pending = { guess, answered: false };
    queue.pending = [...queue.pending, pending];
    this.changed(key);
    // What became of the changes before, and of reading after them, is told to whoever made them.
    const sent = queue.last.then(send, send);
    const last = sent
      .then(
        () => {
          pending.answered = true;
        },
        () => {
          queue.pending = queue.pending.filter((one) => one !== pending);
          this.changed(key);
        },
      )
      .then(() => {
        if (queue.last === last) return this.reload(key);
      });
    queue.last = last;
    return last.then(
      () => sent,
      () => sent,
    );
  }

  private queue(key: ProjectKey): Queue {
    const text = keyText(key);
    const queue = this.queues.get(text) ?? { pending: [], last: Promise.resolve() };
    this.queues.set(text, queue);
    return queue;
  }
}
