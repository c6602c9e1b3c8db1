import { Refusal } from '../ground/errors.ts';
import { Room } from './room.ts';

/** Bytes from which a body counts. */
export const LONG_BODY = 64 * 1024;
/** Bytes of the long bodies that may be under way together, what is made of them included: that is several times as much. */
const CAPACITY = 5 * 1024 * 1024;
/** Milliseconds for which a body waits for room. */
const PATIENCE_MS = 10_000;

/**
 * Room for the long bodies of requests, from their first bytes until they are answered: together they take so much memory and no more,
 * however many are sent at once. Those that find none wait in turn, and are not read meanwhile.
 */
export class BodyRoom {
  private readonly room: Room;

  constructor(capacity = CAPACITY, patience = PATIENCE_MS) {
    this.room = new Room(capacity, patience);
  }

  /** Resolves when there is room, with what gives it back. Throws `Refusal` 503 when there is none for too long. */
  async enter(bytes: number): Promise<() => void> {
    if (!(await this.room.wait(bytes))) throw crowded();
    let isLeft = false;
    return () => {
      if (!isLeft) this.room.give(bytes);
      isLeft = true;
    };
  }
}

function crowded(): Refusal {
  return new Refusal(
    503,
    'As many long requests are under way as this service takes at once. Nothing was changed. Try again in a moment.',
    { 'Retry-After': '2' },
  );
}
