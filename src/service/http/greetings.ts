import type { Socket } from 'node:net';

/** Greetings that are read in one turn of the event loop. Each may cost a signature of some milliseconds. */
const AT_ONCE = 8;
/** Milliseconds after which those that are read give way to others. */
const TURN_MS = 5;

/** By what Node reads a socket. It documents no way to stop TLS from reading one before the greeting is over; without this, nothing is stopped. */
interface Handle {
  readStart(): unknown;
  readStop(): unknown;
}

/** The beginning of TLS on a connection, until both sides have said all that belongs to it. */
export class Greeting {
  /** Who has the connection. */
  readonly holder: string;
  /** How many began before it. */
  readonly number: number;
  private readonly socket: Socket;
  private readonly greetings: Greetings;
  private isHeld = false;
  private isWaiting = false;
  private isStopped = false;

  constructor(socket: Socket, holder: string, number: number, greetings: Greetings) {
    this.socket = socket;
    this.holder = holder;
    this.number = number;
    this.greetings = greetings;
  }

  /** It is over, or its connection is. */
  end(): void {
    this.isHeld = false;
    this.isWaiting = false;
    this.readOrNot();
    this.greetings.forget(this);
  }

  /** Not to be read, even in its turn. */
  hold(isHeld: boolean): void {
    this.isHeld = isHeld;
    this.readOrNot();
  }

  waitForTurn(isWaiting: boolean): void {
    this.isWaiting = isWaiting;
    this.readOrNot();
  }

  /** TLS takes what comes from the handle without asking the socket, so that pausing the socket would change nothing. */
  private readOrNot(): void {
    const isStopped = this.isHeld || this.isWaiting;
    if (isStopped === this.isStopped) return;
    this.isStopped = isStopped;
    const handle = handleOf(this.socket);
    if (isStopped) handle?.readStop();
    else handle?.readStart();
  }
}

/**
 * All greetings under way. What one says is read, deciphered and handed on in one go, and any number of them may have something to say in
 * the same turn of the event loop. So only a few are read at a time, and where there are more, they have turns, however long each takes
 * and however slow its line is: what comes in the meantime waits in the system. Holders have turns, and of each holder the newest and the
 * one that waits longest in turn, so that whoever comes last does not wait for all who never finish.
 */
export class Greetings {
  /** In the order in which they began to be read. */
  private readonly read = new Set<Greeting>();
  /** In the order in which they began to wait. */
  private readonly waiting = new Set<Greeting>();
  /** Holders of those in the order in which they last had a turn. */
  private readonly served = new Set<string>();
  private begun = 0;
  private isNewestNext = false;
  private isTurnAwaited = false;

  begin(socket: Socket, holder: string): Greeting {
    const greeting = new Greeting(socket, holder, this.begun, this);
    this.begun += 1;
    socket.once('close', () => greeting.end());
    if (this.read.size < AT_ONCE) this.read.add(greeting);
    else this.makeWait(greeting);
    return greeting;
  }

  forget(greeting: Greeting): void {
    this.waiting.delete(greeting);
    if (this.read.delete(greeting)) this.letIn(1);
  }

  private makeWait(greeting: Greeting): void {
    this.read.delete(greeting);
    this.waiting.add(greeting);
    greeting.waitForTurn(true);
    if (this.isTurnAwaited) return;
    this.isTurnAwaited = true;
    setTimeout(() => this.turn(), TURN_MS).unref();
  }

  private turn(): void {
    this.isTurnAwaited = false;
    const before = [...this.read];
    const news = this.letIn(AT_ONCE);
    for (const greeting of before.slice(0, Math.max(0, before.length + news - AT_ONCE))) this.makeWait(greeting);
  }

  /** Lets so many be read, or as many as wait; gives their number. */
  private letIn(most: number): number {
    let count = 0;
    for (
      const ofHolder = this.waitingByHolder();
      count < most && ofHolder.size > 0;
      this.isNewestNext = !this.isNewestNext
    ) {
      for (const [holder, all] of ofHolder) {
        if (count === most) break;
        const next = this.isNewestNext ? newestOf(all) : all[0];
        if (next) this.readNext(next);
        if (next) all.splice(all.indexOf(next), 1);
        if (all.length === 0) ofHolder.delete(holder);
        count += 1;
      }
    }
    return count;
  }

  private readNext(greeting: Greeting): void {
    this.served.delete(greeting.holder);
    this.served.add(greeting.holder);
    this.waiting.delete(greeting);
    this.read.add(greeting);
    greeting.waitForTurn(false);
  }

  /** First those of holders whose turn is longest ago. */
  private waitingByHolder(): Map<string, Greeting[]> {
    const all = new Map<string, Greeting[]>();
    for (const one of this.waiting) {
      const others = all.get(one.holder);
      if (others) others.push(one);
      else all.set(one.holder, [one]);
    }
    for (const holder of this.served) {
      const waiting = all.get(holder);
      all.delete(holder);
      if (waiting) all.set(holder, waiting);
      else this.served.delete(holder);
    }
    return all;
  }
}

function newestOf(greetings: readonly Greeting[]): Greeting | undefined {
  let newest = greetings[0];
  for (const one of greetings) if (newest === undefined || one.number > newest.number) newest = one;
  return newest;
}

function handleOf(socket: Socket): Handle | undefined {
  const handle: unknown = '_handle' in socket ? socket._handle : undefined;
  return isHandle(handle) ? handle : undefined;
}

function isHandle(handle: unknown): handle is Handle {
  if (typeof handle !== 'object' || handle === null) return false;
  return 'readStart' in handle && 'readStop' in handle && [handle.readStart, handle.readStop].every(isFunction);
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}
