import type { HeldBody } from './reply.ts';
import { Room } from './room.ts';

/** Bytes of the long bodies that may be under way together. */
const CAPACITY = 16 * 1024 * 1024;
/** Bodies of one caller that may wait for room; who has so many gets no answer made, since it could not be sent. */
const MOST_WAITING = 8;

/**
 * The long bodies that are under way to their readers. Together they have so much room and no more, however slowly they are read and
 * however many ask: one that finds none is not held, and made again when there is. One that several read at once counts once.
 */
export class Outgoing {
  private readonly readers = new Map<HeldBody, number>();
  private readonly waiting = new Map<string, number>();
  private readonly room: Room;

  /** `patience` is the milliseconds for which an answer waits until there is room for it. */
  constructor(patience: number) {
    this.room = new Room(CAPACITY, patience);
  }

  /** Whether answers wait for room. */
  get isCrowded(): boolean {
    return this.room.isCrowded;
  }

  /** Whether a body has room from now on, that of `reserved` bytes included, until it is released. */
  hold(body: HeldBody, reserved = 0): boolean {
    const isKnown = this.readers.has(body);
    if (!isKnown && reserved === 0) {
      if (!this.room.take(body.length)) return false;
      this.readers.set(body, 1);
    } else this.holdAnyway(body, reserved);
    return true;
  }

  /** For the answer to a change, which cannot be made again, and for one that has its room. */
  holdAnyway(body: HeldBody, reserved = 0): void {
    const readers = this.readers.get(body) ?? 0;
    this.readers.set(body, readers + 1);
    if (readers === 0) this.room.takeAnyway(body.length);
    this.room.give(reserved);
  }

  release(body: HeldBody): void {
    const readers = (this.readers.get(body) ?? 1) - 1;
    if (readers > 0) return void this.readers.set(body, readers);
    this.readers.delete(body);
    this.room.give(body.length);
  }

  /** Waits for so much room for a body to `caller`, in turn; true when it is reserved, to be held with it or left. */
  async reserve(bytes: number, caller: string): Promise<boolean> {
    this.waiting.set(caller, (this.waiting.get(caller) ?? 0) + 1);
    const isReserved = await this.room.wait(bytes);
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
  leave(reserved: number): void {
    this.room.give(reserved);
  }
}
