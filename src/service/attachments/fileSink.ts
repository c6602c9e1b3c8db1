import { type FileHandle, open } from 'node:fs/promises';

/** Bytes that are written at once; the first are few, since most files are small. */
const LEAST_BATCH = 16 * 1024;
const MOST_BATCH = 1024 * 1024;
/** Bytes that the batches of all files under way may have together, as far as their least lets them. */
const ALL_BATCHES = 8 * 1024 * 1024;

let underWay = 0;

/**
 * A new file, written in large batches: one is written while the next is filled. What comes is copied into them, so that a file that
 * comes in tiny pieces takes no more memory than another.
 */
export class FileSink {
  size = 0;
  private readonly file: FileHandle;
  private batch: Buffer = Buffer.allocUnsafeSlow(LEAST_BATCH);
  private filled = 0;
  /** Of a batch that has been written, to be filled again. */
  private spare: Buffer | undefined;
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
    let taken = 0;
    while (taken < bytes.length) {
      if (this.filled === this.batch.length) await this.flush();
      const part = bytes.subarray(taken, taken + this.batch.length - this.filled);
      this.batch.set(part, this.filled);
      this.filled += part.length;
      taken += part.length;
    }
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

  private async flush(): Promise<void> {
    await this.writing;
    const { batch, filled } = this;
    this.writing = writeAll(this.file, batch.subarray(0, filled)).then(() => {
      this.spare = batch;
    });
    this.writing.catch(() => undefined);
    this.batch = this.nextBatch(batch.length);
    this.filled = 0;
  }

  private nextBatch(before: number): Buffer {
    const share = 2 ** Math.floor(Math.log2(ALL_BATCHES / underWay)); // Of few sizes, so that memory can be used again.
    const length = Math.max(LEAST_BATCH, Math.min(2 * before, share, MOST_BATCH));
    const { spare } = this;
    this.spare = undefined;
    return spare?.length === length ? spare : Buffer.allocUnsafeSlow(length);
  }

  private async close(): Promise<void> {
    if (this.isOpen) underWay -= 1;
    this.isOpen = false;
    await this.file.close();
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    written += (await file.write(bytes, written)).bytesWritten;
  }
}
