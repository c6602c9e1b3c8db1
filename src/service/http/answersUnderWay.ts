import { MemoryBudget } from './memoryBudget.ts';
import type { HeldBody } from './reply.ts';

/** Bytes of the long bodies that may be under way together. */
const CAPACITY = 24 * 1024 * 1024;
/** Bodies of one caller that may wait for room; who has so many gets no answer made, since it could not be sent. */
const MOST_WAITING = 8;

/** A body under way. */
interface Held {
  /** How many take it. */
  readers: number;
  /** Who asked for it first: their part of the room it takes. */
  readonly caller: string;
}

/**
 * The long bodies that are under way to their readers. Together they have so much room and no more, however slowly they are read and
 * however many ask: one that finds none is not held, and made again when there is. One that several read at once counts once.
 */
export class AnswersUnderWay {
  private readonly bodies = new Map<HeldBody, Held>();
  private readonly waiting = new Map<string, number>();
  private readonly room: MemoryBudget;

  /** `patience` is the milliseconds for which an answer waits until there is room for it. */
  constructor(patience: number) {
    this.room = new MemoryBudget(CAPACITY, patience);
  }

  /** Whether answers wait for room. */
  get isCrowded(): boolean {
    return this.room.isCrowded;
  }

  /** How many wait for room. */
  get waitingCount(): number {
    return this.room.waitingCount;
  }

  /** Whether a body to `caller` has room from now on, that of `reserved` bytes included, until it is released. */
  hold(body: HeldBody, caller: string, reserved = 0): boolean {
    if (this.bodies.has(body) || reserved > 0) this.holdAnyway(body, caller, reserved);
    else if (this.room.take(body.length, caller)) this.bodies.set(body, { readers: 1, caller });
    else return false;
    return true;
  }

  /** For the answer to a change, which cannot be made again, and for one that has its room. */
  holdAnyway(body: HeldBody, caller: string, reserved = 0): void {
    const known = this.bodies.get(body);
    if (known) known.readers += 1;
    else {
      this.bodies.set(body, { readers: 1, caller });
      this.room.takeAnyway(body.length, caller);
    }
    if (reserved > 0) this.room.give(reserved, caller);
  }

  release(body: HeldBody): void {
    const held = this.bodies.get(body);
    if (!held) return;
    held.readers -= 1;
    if (held.readers > 0) return;
    this.bodies.delete(body);
    this.room.give(body.length, held.caller);
  }

  /** Waits for so much room for a body to `caller`, in turn; true when it is reserved, to be held with it or left. */
  async reserve(bytes: number, caller: string): Promise<boolean> {
    this.waiting.set(caller, (this.waiting.get(caller) ?? 0) + 1);
    const isReserved = await this.room.wait(bytes, caller);
    const left = (this.waiting.get(caller) ?? 1) - 1;
    if (left > 0) this.waiting.set(caller, left);
    else this.waiting.delete(caller);
    return isReserved;
  }

  /** Whether as many bodies to a caller wait for room as may. */
  isOverdue(caller: string): boolean {
    return (this.waiting.get(caller) ?? 0) >= MOST_WAITING;
  }

  /** Gives room back that was reserved. */
  leave(reserved: number, caller: string): void {
    this.room.give(reserved, caller);
  }
}
