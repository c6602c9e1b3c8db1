import { waitsForArrivals } from '../ground/slices.ts';

/** A connection, of which nothing is read while it is held. */
export interface Paced {
  /** Who has it. */
  readonly holder: string;
  /** Nothing of it was read yet: what came is kept aside, and read in the turn after the one in which it is let go on. */
  readonly isNew: boolean;
  holdForTurn(isHeld: boolean): void;
}

/** Pieces of bodies that may come over all connections in one turn of the event loop before nothing more is read in it. */
const MOST_PIECES = 2_000;
/** Pieces of one connection in a turn that are more than a program sends that does not cut its bodies up on purpose. */
const MANY = 64;

/**
 * How much comes in one turn of bodies that are cut into tiny pieces. Each piece costs far more than its bytes, thousands have room in what
 * is read of a connection at once, and any number of connections may have some in the same turn. So once there are too many in one, every
 * connection is held until the next: any may have as many, also one that brought nothing yet. Those that brought many
 * go on one after the other, each after as much time for others as the one before took. Of those, the ones are read first whose holders have
 * the fewest.
 */
export class PieceTurns {
  private readonly open = new Set<Paced>();
  /** Those that brought many where there were too many in all. */
  private readonly marked = new Set<Paced>();
  /** Those of which so much came before it was read that it may be many, until they are let go on. */
  private readonly expected = new Set<Paced>();
  /** Those that are held; of the marked ones the one that waits longest comes first. */
  private readonly held = new Set<Paced>();
  /** What each has brought in this turn. */
  private readonly pieces = new Map<Paced, number>();
  /** Holders of marked ones in the order in which they were last let go on. */
  private readonly served = new Set<string>();
  private total = 0;
  private isTurnAwaited = false;
  /** By the clock of `performance`: when the first piece of this turn came, since when all are held, and until when others have their time. */
  private begun = 0;
  private since = 0;
  private restUntil = 0;
  private isRestAwaited = false;
  /** Whether those that did not bring many are held too, and whether they are since before this turn. */
  private areAllHeld = false;
  private isArrivalTime = false;
  private isNewestFirst = false;
  private isTurnOfNew = false;

  /** It was opened. */
  begin(one: Paced): void {
    this.open.add(one);
    if (this.areAllHeld) this.hold(one);
  }

  /** It was closed. */
  forget(one: Paced): void {
    this.open.delete(one);
    this.marked.delete(one);
    this.expected.delete(one);
    this.held.delete(one);
  }

  /** So much has come over it, and is not read yet, that it may be many pieces: it waits for a turn of its own. */
  expect(one: Paced): void {
    if (!this.open.has(one)) return;
    this.expected.add(one);
    this.hold(one);
    this.awaitTurn();
  }

  /** Pieces have come. */
  count(one: Paced, pieces: number): void {
    if (this.total === 0) this.begun = performance.now();
    const isFull = this.total >= MOST_PIECES;
    this.total += pieces;
    const all = (this.pieces.get(one) ?? 0) + pieces;
    this.pieces.set(one, all);
    this.awaitTurn();
    if (this.total < MOST_PIECES || !this.open.has(one)) return;
    if (all > MANY) this.marked.add(one);
    if (isFull) this.hold(one);
    else this.holdAll();
  }

  private holdAll(): void {
    for (const [one, pieces] of this.pieces) {
      if (pieces > MANY && this.open.has(one)) this.marked.add(one);
    }
    this.areAllHeld = true;
    for (const one of this.open) this.hold(one);
  }

  private hold(one: Paced): void {
    if (this.held.has(one)) return;
    this.held.add(one);
    one.holdForTurn(true);
  }

  private release(one: Paced): void {
    this.expected.delete(one);
    if (this.held.delete(one)) one.holdForTurn(false);
  }

  private awaitTurn(): void {
    if (this.isTurnAwaited) return;
    this.isTurnAwaited = true;
    setImmediate(() => this.turn());
  }

  /** Connections are read in the order in which they are let go on. */
  private turn(): void {
    this.isTurnAwaited = false;
    const now = performance.now();
    if (this.total >= MOST_PIECES) this.restUntil = now + now - this.begun;
    this.total = 0;
    this.pieces.clear();
    if (this.areAllHeld && !this.isArrivalTime) {
      this.isArrivalTime = true;
      this.since = now;
    } else if (!this.areAllHeld || !waitsForArrivals(this.since)) this.letGoOn(now);
    if (this.held.size === 0) return;
    if (!this.areAllHeld && now < this.restUntil) this.awaitRest(this.restUntil - now);
    else this.awaitTurn();
  }

  /** New ones have every other turn to themselves: what others bring is read before theirs, and would hold them again and again. */
  private letGoOn(now: number): void {
    if (!this.isTurnOfNew) this.isNewestFirst = !this.isNewestFirst;
    const unmarked = this.unmarked();
    const news = this.isTurnOfNew ? [] : unmarked.filter(({ isNew }) => isNew);
    this.isTurnOfNew = news.length > 0;
    if (news.length > 0) for (const one of news) this.release(one);
    else if (this.areAllHeld) {
      this.areAllHeld = false;
      this.isArrivalTime = false;
      for (const one of unmarked) if (!one.isNew) this.release(one);
    } else if (now >= this.restUntil) this.releaseMarked();
  }

  private awaitRest(time: number): void {
    if (this.isRestAwaited) return;
    this.isRestAwaited = true;
    setTimeout(() => {
      this.isRestAwaited = false;
      this.awaitTurn();
    }, time);
  }

  /** Of one holder the newest come first in every other turn: whoever comes last does not wait for all that stand, nor for all that follow. */
  private unmarked(): readonly Paced[] {
    const all = [...this.open].filter((one) => this.held.has(one) && !this.marked.has(one) && !this.expected.has(one));
    const numbers = new Map<string, number>();
    for (const { holder } of all) numbers.set(holder, (numbers.get(holder) ?? 0) + 1);
    if (this.isNewestFirst) all.reverse();
    return all.sort((one, other) => (numbers.get(one.holder) ?? 0) - (numbers.get(other.holder) ?? 0));
  }

  /** Lets one go on: holders have turns, and of each comes first what waits longest. */
  private releaseMarked(): void {
    const firsts = new Map<string, Paced>();
    for (const one of this.held) if (!firsts.has(one.holder)) firsts.set(one.holder, one);
    for (const holder of this.served) if (!firsts.has(holder)) this.served.delete(holder);
    const [longest] = this.served;
    const holder = [...firsts.keys()].find((one) => !this.served.has(one)) ?? longest;
    const next = holder === undefined ? undefined : firsts.get(holder);
    if (holder === undefined || next === undefined) return;
    this.served.delete(holder);
    this.served.add(holder);
    this.release(next);
  }
}
