import type { Socket } from 'node:net';
import { waitsForArrivals } from '../ground/slices.ts';

/** Greetings that are read in one turn of the event loop. Each may cost a signature of some milliseconds. */
const AT_ONCE = 8;
/** Milliseconds after which those that are read give way to others. */
const TURN_MS = 1;
/** Milliseconds that a turn takes longer because of what was read, beyond which fewer are read in the next. */
const LONG_MS = 10;

/** Greetings under way beyond which TLS is begun on others only when they have their first turn. */
const MOST_BEGUN = 128;
/** Bytes that may come before TLS is begun until no more are read: of one message of TLS. */
const MOST_EARLY = 16 * 1024;

/** By what Node reads a socket. It documents no way to stop TLS from reading one before the greeting is over; without this, nothing is stopped. */
interface Handle {
  readStart(): unknown;
  readStop(): unknown;
}

/**
 * The beginning of TLS on a connection, until both sides have said all that belongs to it. Where it is put off, what is said first is kept
 * until then: it costs no memory but that, and no signature once the caller is gone.
 */
export class Greeting {
  /** Who has the connection. */
  readonly holder: string;
  private readonly socket: Socket;
  private readonly greetings: Greetings;
  /** Begins TLS, where that is put off. */
  private greet: (() => void) | undefined;
  /** What came before, and its bytes. */
  private readonly early: Buffer[] = [];
  private earlyBytes = 0;
  private isStopped = false;
  /** Bytes that had come when it was last looked at. */
  private heard = 0;
  private _silence = 1;

  constructor(socket: Socket, holder: string, greetings: Greetings) {
    this.socket = socket;
    this.holder = holder;
    this.greetings = greetings;
  }

  /** `greet` is called at the first turn, which there is once something was said. */
  putOff(greet: () => void): void {
    this.greet = greet;
    this.socket.on('error', ignoreIt).on('data', this.keep).on('end', this.leave);
  }

  /** Both sides have said all. What comes after that is not read before `end`. */
  finish(): void {
    this.greetings.forget(this);
    this.readOrNot(false);
  }

  /** What comes after it may be read, or its connection was closed. */
  end(): void {
    this.greetings.forget(this);
    if (this.greet === undefined) this.readOrNot(true);
  }

  /** TLS takes what comes from the handle without asking the socket, so that pausing the socket would change nothing. */
  readOrNot(isRead: boolean): void {
    if (this.greet !== undefined) {
      if (isRead && !this.socket.destroyed) this.begin(this.greet);
      return;
    }
    if (isRead !== this.isStopped) return;
    this.isStopped = !isRead;
    const handle = handleOf(this.socket);
    if (isRead) handle?.readStart();
    else handle?.readStop();
  }

  private begin(greet: () => void): void {
    this.greet = undefined;
    const { socket } = this;
    socket.off('data', this.keep).off('end', this.leave).pause();
    socket.unshift(Buffer.concat(this.early.splice(0)));
    this.greetings.noteBegun(this);
    greet();
    socket.off('error', ignoreIt); // TLS listens from now on.
  }

  private readonly keep = (bytes: Buffer): void => {
    const isFirst = this.earlyBytes === 0;
    this.early.push(bytes);
    this.earlyBytes += bytes.length;
    if (this.earlyBytes > MOST_EARLY) this.socket.pause();
    if (isFirst) this.greetings.hear(this);
  };

  /** Nobody who says no more can finish a greeting. */
  private readonly leave = (): void => void this.socket.destroy();

  /** It had a turn. */
  noteTurn(): void {
    const { bytesRead } = this.socket;
    this._silence = bytesRead > this.heard ? 0 : this._silence + 1;
    this.heard = bytesRead;
  }

  /** Turns that it had since it last said something; one where it had none yet. */
  get silence(): number {
    return this._silence;
  }
}

/**
 * All greetings under way. What one says is read, deciphered and answered in one go, and any number of them may have something to say in
 * the same turn of the event loop. So only a few are read at a time, and where there are more, they have turns, however long each takes
 * and however slow its line is: what comes in the meantime waits in the system. Holders have turns, and of each holder, one after the other,
 * the one that waits longest and the one that was silent in the fewest turns: whoever comes last, or goes on as soon as they are answered,
 * does not wait for all who never finish.
 */
export class Greetings {
  /** In the order in which they began to be read. */
  private readonly read = new Set<Greeting>();
  /** In the order in which they began to wait. */
  private readonly waiting = new Set<Greeting>();
  /** Holders of those in the order in which they last had a turn. */
  private readonly served = new Set<string>();
  /** Those on which TLS was begun. */
  private readonly begun = new Set<Greeting>();
  private isLongestNext = false;
  private isTurnAwaited = false;
  /** Those that may be read at once, as long as that takes no longer. */
  private most = AT_ONCE;
  /** Since when the next turn waits for connections to come in, by the clock of `performance`. */
  private since = 0;

  /** One is awaited on a connection that was opened. `greet` has TLS take what comes over it from then on. */
  begin(socket: Socket, holder: string, greet: () => void): Greeting {
    const greeting = new Greeting(socket, holder, this);
    socket.once('close', () => greeting.end());
    if (this.begun.size >= MOST_BEGUN) greeting.putOff(greet);
    else {
      this.noteBegun(greeting);
      greet();
      this.hear(greeting);
    }
    return greeting;
  }

  /** It is read as soon as it may be. */
  hear(greeting: Greeting): void {
    if (this.read.size < AT_ONCE && this.waiting.size === 0) this.readNow(greeting);
    else this.makeWait(greeting);
  }

  noteBegun(greeting: Greeting): void {
    this.begun.add(greeting);
  }

  forget(greeting: Greeting): void {
    this.begun.delete(greeting);
    this.waiting.delete(greeting);
    this.read.delete(greeting);
  }

  private makeWait(greeting: Greeting): void {
    this.read.delete(greeting);
    this.waiting.add(greeting);
    greeting.readOrNot(false);
    if (!this.isTurnAwaited) this.awaitTurn();
  }

  private awaitTurn(): void {
    this.isTurnAwaited = true;
    const due = performance.now() + TURN_MS;
    const begin = (): void => {
      this.since = performance.now();
      this.most = this.since > due + LONG_MS ? Math.ceil(this.most / 2) : Math.min(AT_ONCE, this.most + 1);
      setImmediate(this.turn);
    };
    setTimeout(begin, TURN_MS).unref();
  }

  private readonly turn = (): void => {
    if (waitsForArrivals(this.since)) {
      setImmediate(this.turn);
      return;
    }
    this.isTurnAwaited = false;
    const before = [...this.read];
    for (const greeting of before) greeting.noteTurn();
    const news = this.letIn(this.most);
    for (const greeting of before.slice(0, Math.max(0, before.length + news - this.most))) this.makeWait(greeting);
    if (this.waiting.size > 0 && !this.isTurnAwaited) this.awaitTurn();
  };

  /** Lets so many be read, or as many as wait; gives their number. */
  private letIn(most: number): number {
    let count = 0;
    for (
      const ofHolder = this.waitingByHolder();
      count < most && ofHolder.size > 0;
      this.isLongestNext = !this.isLongestNext
    ) {
      for (const [holder, all] of ofHolder) {
        if (count === most) break;
        const next = this.isLongestNext ? all[0] : leastSilentOf(all);
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
    this.readNow(greeting);
  }

  private readNow(greeting: Greeting): void {
    this.read.add(greeting);
    greeting.readOrNot(true);
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

function leastSilentOf(greetings: readonly Greeting[]): Greeting | undefined {
  let least = greetings[0];
  for (const one of greetings) if (least !== undefined && one.silence < least.silence) least = one;
  return least;
}

function handleOf(socket: Socket): Handle | undefined {
  const handle: unknown = '_handle' in socket ? socket._handle : undefined;
  return isHandle(handle) ? handle : undefined;
}

function isHandle(handle: unknown): handle is Handle {
  if (typeof handle !== 'object' || handle === null) return false;
  return 'readStart' in handle && 'readStop' in handle && [handle.readStart, handle.readStop].every(isFunction);
}

function ignoreIt(): void {}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}
