import { Refusal } from '../ground/errors.ts';
import { MemoryBudget } from './memoryBudget.ts';

/** Bytes from which a body counts. */
export const LONG_BODY = 64 * 1024;
/** Bytes of the long bodies that are being answered together, what is made of them included: that is several times as much. */
const CAPACITY = 5 * 1024 * 1024;
/** Bytes of those that are on their way, each as long as it says that it will be. Nothing is made of them yet. */
const CAPACITY_ON_THE_WAY = 12 * 1024 * 1024;
/** Milliseconds for which a body waits for room. */
const PATIENCE_MS = 10_000;
/** Milliseconds that any body may take, whoever waits for its room, and bytes a second that have to come of it afterwards. */
const GRACE_MS = 2_000;
const LEAST_RATE = 32 * 1024;
const LOOK_MS = 100;

/** A long body on its way. */
interface ComingBody {
  readonly holder: string;
  /** Bytes that have come. */
  readonly arrived: number;
  /** Nothing more of it is waited for. */
  fail(error: unknown): void;
}

/**
 * Room for the long bodies of requests, on their way and then until they are answered: together they take so much memory and no more,
 * however many are sent at once. Those that find none wait in turn, and are not read in the meantime. Nobody has more than half of it by
 * several, and who has some keeps nobody waiting who has none.
 */
export class BodyRoom {
  private readonly room: MemoryBudget;
  private readonly way: MemoryBudget;
  /** By when they began to come. */
  private readonly coming = new Map<ComingBody, number>();

  constructor(capacity = CAPACITY, patience = PATIENCE_MS, onTheWay = CAPACITY_ON_THE_WAY) {
    this.room = new MemoryBudget(capacity, patience);
    this.way = new MemoryBudget(onTheWay, patience);
  }

  /** How many wait for room. */
  get waitingCount(): number {
    return this.room.waitingCount + this.way.waitingCount;
  }

  /** For a body that has come. Resolves when there is room, with what gives it back. Throws `Refusal` 503 when there is none for too long. */
  async enter(bytes: number, holder = ''): Promise<() => void> {
    return place(this.room, bytes, holder);
  }

  /** The same for one of which more is to come. One that comes too slowly is refused while its room is wanted by those who have none. */
  async approach(bytes: number, body: ComingBody): Promise<() => void> {
    const look = setInterval(() => this.refuseSlowest(), LOOK_MS).unref();
    const leave = await place(this.way, bytes, body.holder).finally(() => clearInterval(look));
    this.coming.set(body, performance.now());
    return () => {
      this.coming.delete(body);
      leave();
    };
  }

  private refuseSlowest(): void {
    if (!this.way.isWanted) return;
    const now = performance.now();
    const slow = [...this.coming].flatMap(([body, begun]) => (isSlow(body, now - begun) ? [body] : []));
    const [most] = slow.sort((one, other) => this.way.heldBy(other.holder) - this.way.heldBy(one.holder));
    most?.fail(new Refusal(408, 'The body took too long to arrive.'));
  }
}

function isSlow({ arrived }: ComingBody, time: number): boolean {
  return time > GRACE_MS && arrived < (time / 1000) * LEAST_RATE;
}

async function place(room: MemoryBudget, bytes: number, holder: string): Promise<() => void> {
  if (!(await room.wait(bytes, holder))) throw crowded();
  let isLeft = false;
  return () => {
    if (!isLeft) room.give(bytes, holder);
    isLeft = true;
  };
}

function crowded(): Refusal {
  return new Refusal(
    503,
    'The service is handling too many long requests. Nothing was changed. Try again in a moment.',
    { 'Retry-After': '2' },
  );
}
