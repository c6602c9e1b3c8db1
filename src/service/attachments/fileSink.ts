import { type FileHandle, open } from 'node:fs/promises';

const BATCH_BYTES = 1024 * 1024;

/** A new file written in large batches, one being written while the next is gathered; so memory stays bounded. */
export class FileSink {
  size = 0;
  private readonly file: FileHandle;
  private batch: Uint8Array[] = [];
  private batchBytes = 0;
  private writing: Promise<void> = Promise.resolve();

  private constructor(file: FileHandle) {
    this.file = file;
  }

  static async create(path: string): Promise<FileSink> {
    return new FileSink(await open(path, 'wx', 0o600));
  }

  /** Resolves at once unless the disk is more than a batch behind. */
  async write(bytes: Uint8Array): Promise<void> {
    this.batch.push(bytes);
    this.batchBytes += bytes.length;
    this.size += bytes.length;
    if (this.batchBytes >= BATCH_BYTES) await this.flush();
  }

  private async flush(): Promise<void> {
    const ready = this.batch;
    this.batch = [];
    this.batchBytes = 0;
    await this.writing;
    this.writing = ready.length > 0 ? writeAll(this.file, ready) : Promise.resolve();
    this.writing.catch(() => undefined);
  }

  /** On disk for good when this resolves. */
  async finish(): Promise<void> {
    await this.flush();
    await this.writing;
    await this.file.sync();
    await this.file.close();
  }

  async abandon(): Promise<void> {
    await this.writing.catch(() => undefined);
    await this.file.close().catch(() => undefined);
  }
}

async function writeAll(file: FileHandle, buffers: readonly Uint8Array[]): Promise<void> {
  let left = [...buffers];
  while (left.length > 0) {
    const { bytesWritten } = await file.writev(left);
    left = after(left, bytesWritten);
  }
}

function after(buffers: readonly Uint8Array[], written: number): Uint8Array[] {
  let skip = written;
  const left: Uint8Array[] = [];
  for (const buffer of buffers) {
    if (skip < buffer.length) left.push(buffer.subarray(skip));
    skip = Math.max(0, skip - buffer.length);
  }
  return left;
}
