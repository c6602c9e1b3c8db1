import { type FileHandle, open } from 'node:fs/promises';

/** Bytes that are written at once, at most and at least. */
const MOST_BATCH = 1024 * 1024;
const LEAST_BATCH = 16 * 1024;
/** Bytes that the batches of all files under way may have together, as far as their least lets them. */
const ALL_BATCHES = 8 * 1024 * 1024;
/** Bytes from which a piece is written as it came; smaller ones are copied, since each keeps more than its own bytes. */
const LARGE_PIECE = 16 * 1024;

let underWay = 0;

/**
 * A new file, written in large batches: one is written while the next is gathered. A file that comes in tiny pieces takes no more
 * memory than another.
 */
export class FileSink {
  size = 0;
  private readonly file: FileHandle;
  private batch: Uint8Array[] = [];
  private batchBytes = 0;
  /** Where small pieces are copied to, and how much of it is filled and not in the batch yet. */
  private small: Buffer = Buffer.alloc(0);
  private filled = 0;
  private writing: Promise<void> = Promise.resolve();
  private isOpen = true;

  private constructor(file: FileHandle) {
    this.file = file;
    underWay += 1;
  }

  static async create(path: string): Promise<FileSink> {
    return new FileSink(await open(path, 'wx', 0o600));
  }

  /** Resolves at once unless the disk is more than a batch behind. */
  async write(bytes: Uint8Array): Promise<void> {
    this.size += bytes.length;
    this.batchBytes += bytes.length;
    if (bytes.length < LARGE_PIECE) this.copy(bytes);
    else {
      this.addSmall();
      this.batch.push(bytes);
    }
    const share = ALL_BATCHES / underWay;
    if (this.batchBytes >= Math.max(LEAST_BATCH, Math.min(share, MOST_BATCH))) await this.flush();
  }

  /** On disk for good when this resolves. `place` is done when all is written: a name that is given then comes with the same sync. */
  async finish(place?: () => Promise<void>): Promise<void> {
    await this.flush();
    await this.writing;
    await place?.();
    await this.file.sync();
    await this.close();
  }

  async abandon(): Promise<void> {
    await this.writing.catch(() => undefined);
    await this.close().catch(() => undefined);
  }

  private copy(bytes: Uint8Array): void {
    if (this.filled + bytes.length > this.small.length) {
      this.addSmall();
      this.small = Buffer.allocUnsafeSlow(LARGE_PIECE);
    }
    this.small.set(bytes, this.filled);
    this.filled += bytes.length;
  }

  private addSmall(): void {
    if (this.filled > 0) this.batch.push(this.small.subarray(0, this.filled));
    this.small = this.small.subarray(this.filled);
    this.filled = 0;
  }

  private async flush(): Promise<void> {
    this.addSmall();
    const { batch } = this;
    this.batch = [];
    this.batchBytes = 0;
    await this.writing;
    this.writing = writeAll(this.file, batch);
    this.writing.catch(() => undefined);
  }

  private async close(): Promise<void> {
    if (this.isOpen) underWay -= 1;
    this.isOpen = false;
    await this.file.close();
  }
}

async function writeAll(file: FileHandle, pieces: readonly Uint8Array[]): Promise<void> {
  let left = pieces;
  while (left.length > 0) {
    const { bytesWritten } = await file.writev(left);
    left = after(left, bytesWritten);
  }
}

/** What is left of pieces when so many bytes of them were taken. */
function after(pieces: readonly Uint8Array[], taken: number): readonly Uint8Array[] {
  let skip = taken;
  const left: Uint8Array[] = [];
  for (const piece of pieces) {
    if (skip < piece.length) left.push(piece.subarray(skip));
    skip = Math.max(0, skip - piece.length);
  }
  return left;
}
