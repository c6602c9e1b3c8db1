import { IncomingMessage } from 'node:http';

/** Pieces of a body that are counted together at most. */
const MOST_COUNTED = 250;
/** Bytes of small pieces that are handed on as one, and up to which a piece is small. */
const GATHERED = 4 * 1024;
const SMALL = 512;
/** Up to which a loop copies sooner than what is made for it. */
const TINY = 16;

/** What a request came over. */
interface PieceCounter {
  countPieces(pieces: number): void;
}

/**
 * A request that is not read where its connection takes no more answers. Node reads a whole piece of what came before it looks at anything
 * else, and in one of 64 KiB there is room for thousands of requests. Where one asks for another protocol it reads no further. Requests
 * that really ask for one are answered like others, since this service speaks no other.
 */
export class HeardRequest extends IncomingMessage {
  /** What it came over; told of the pieces of its body, also while nobody reads them. */
  heardBy: PieceCounter | undefined;
  private questions = 0;
  private first: Buffer | undefined;
  private gathered: Buffer | undefined;
  private gatheredLength = 0;
  private uncounted = 0;
  private isReadAwaited = false;

  /**
   * Node asks twice before it stops. Asked once more, it would copy the whole piece for whoever speaks the other protocol, and hundreds of
   * those copies are more than all that is counted here.
   */
  get upgrade(): boolean {
    if (this.socket.writable) return false;
    this.questions += 1;
    return this.questions <= 2;
  }

  set upgrade(_) {
    // What was asked for does not matter.
  }

  /** Given each piece of the body by Node. Small ones that come in one read are handed on together: each takes hundreds of bytes besides its own. */
  override push(piece: Buffer | null): boolean {
    if (piece === null) {
      this.handOn();
      return super.push(null);
    }
    this.uncounted += 1;
    if (this.uncounted === MOST_COUNTED) this.count();
    if (piece.length > SMALL) {
      this.handOn();
      return super.push(piece);
    }
    if (this.first === undefined) this.first = piece;
    else this.gather(piece, this.first);
    if (!this.isReadAwaited) {
      this.isReadAwaited = true;
      setImmediate(this.readEnds);
    }
    return true;
  }

  private readonly readEnds = (): void => {
    this.isReadAwaited = false;
    this.handOn();
  };

  private gather(piece: Buffer, first: Buffer): void {
    if (this.gathered === undefined) {
      this.gathered = Buffer.allocUnsafeSlow(GATHERED);
      this.gatheredLength = first.copy(this.gathered);
    }
    if (piece.length > TINY) piece.copy(this.gathered, this.gatheredLength);
    else for (let at = 0; at < piece.length; at += 1) this.gathered[this.gatheredLength + at] = piece[at] ?? 0;
    this.gatheredLength += piece.length;
    if (this.gatheredLength > GATHERED - SMALL) this.handOn();
  }

  private handOn(): void {
    this.count();
    const bytes = this.gathered?.subarray(0, this.gatheredLength) ?? this.first;
    this.first = undefined;
    this.gathered = undefined;
    if (bytes && !super.push(bytes)) this.socket.pause();
  }

  private count(): void {
    if (this.uncounted > 0) this.heardBy?.countPieces(this.uncounted);
    this.uncounted = 0;
  }
}
