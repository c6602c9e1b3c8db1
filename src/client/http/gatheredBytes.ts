/** Room for the first bytes; doubled whenever there are more. */
const FIRST = 16 * 1024;
/** What a sender says beforehand is believed up to so much. */
const MOST_BELIEVED = 1024 * 1024;

/** Bytes that come in pieces, in one buffer: a piece of one byte takes no more memory than that. */
export class GatheredBytes {
  private room: Uint8Array;
  private _length = 0;

  /** `expected` bytes, where the sender tells. */
  constructor(expected = FIRST) {
    this.room = new Uint8Array(Math.min(expected, MOST_BELIEVED));
  }

  get length(): number {
    return this._length;
  }

  add(piece: Uint8Array): void {
    const needed = this._length + piece.length;
    if (needed > this.room.length) {
      const larger = new Uint8Array(Math.max(needed, FIRST, 2 * this.room.length));
      larger.set(this.room.subarray(0, this._length));
      this.room = larger;
    }
    this.room.set(piece, this._length);
    this._length = needed;
  }

  /** A copy of them, the first `most` at most. */
  bytes(most = this._length): Uint8Array {
    return this.room.slice(0, Math.min(most, this._length));
  }
}
