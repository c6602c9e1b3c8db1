/** Bytes from which a body counts; a shorter one is handed over as a whole. */
export const LONG_BODY = 64 * 1024;
/** Bytes of the long bodies that may be under way together. */
const CAPACITY = 24 * 1024 * 1024;

interface Waiting {
  readonly bytes: number;
  readonly enter: (isRoom: boolean) => void;
}

/**
 * The long bodies that are under way to their readers. Together they have so much room and no more, however slowly they are read and
 * however many ask: one that finds none is not held, and made again when there is. One that several read at once counts once.
 */
export class Outgoing {
  private readonly readers = new Map<Buffer, number>();
  private readonly line: Waiting[] = [];
  private readonly patience: number;
  private bytes = 0;

  /** `patience` is the milliseconds for which an answer waits until there is room for it. */
  constructor(patience: number) {
    this.patience = patience;
  }

  /** Whether somebody waits for room. */
  get isCrowded(): boolean {
    return this.line.length > 0;
  }

  /** Whether a body has room from now on, that of `reserved` bytes included, until it is released. */
  hold(body: Buffer, reserved = 0): boolean {
    const readers = this.readers.get(body);
    if (readers === undefined && reserved === 0 && (this.isCrowded || !this.fits(body.length))) return false;
    this.holdAnyway(body, reserved);
    return true;
  }

  /** For the answer to a change, which cannot be made again. */
  holdAnyway(body: Buffer, reserved = 0): void {
    const readers = this.readers.get(body) ?? 0;
    this.readers.set(body, readers + 1);
    this.changeBy((readers === 0 ? body.length : 0) - reserved);
  }

  release(body: Buffer): void {
    const readers = (this.readers.get(body) ?? 1) - 1;
    if (readers > 0) return void this.readers.set(body, readers);
    this.readers.delete(body);
    this.changeBy(-body.length);
  }

  /** Waits for so much room, in turn; true when it is reserved, to be held with it or left. */
  reserve(bytes: number): Promise<boolean> {
    return new Promise((resolve) => {
      const waiting = { bytes, enter: resolve };
      this.line.push(waiting);
      const giveUp = (): void => {
        const at = this.line.indexOf(waiting);
        if (at < 0) return;
        this.line.splice(at, 1);
        resolve(false);
        this.changeBy(0);
      };
      setTimeout(giveUp, this.patience).unref();
      this.changeBy(0);
    });
  }

  /** Gives room back that was reserved. */
  leave(reserved: number): void {
    this.changeBy(-reserved);
  }

  /** Lets in who has room then. */
  private changeBy(bytes: number): void {
    this.bytes += bytes;
    for (let first = this.line[0]; first && this.fits(first.bytes); first = this.line[0]) {
      this.line.shift();
      this.bytes += first.bytes;
      first.enter(true);
    }
  }

  /** One that is larger than all there is has it to itself. */
  private fits(bytes: number): boolean {
    return this.bytes <= 0 || this.bytes + bytes <= CAPACITY;
  }
}
