import type { Readable } from 'node:stream';

/** Chunks that are joined to one: each costs some hundred bytes, and keeps what it was cut from, however short it is. */
const JOINED = 1_024;

/** Mails that are being received, of which only so many bytes are held at once. */
export class HeldBytes {
  private readonly longest: number;
  private readonly most: number;
  private held = 0;

  constructor(longest: number, most: number) {
    this.longest = longest;
    this.most = most;
  }

  /** Reads a stream to its end; undefined when it is too long or there is no room, and then holds nothing of it. */
  async collect(stream: Readable): Promise<Buffer | undefined> {
    let blocks: Buffer[] = [];
    let chunks: Buffer[] = [];
    let size = 0;
    let isTaken = true;
    try {
      for await (const chunk of stream) {
        if (!isTaken) continue;
        chunks.push(chunk);
        size += chunk.length;
        this.held += chunk.length;
        if (chunks.length >= JOINED) {
          blocks.push(Buffer.concat(chunks));
          chunks = [];
        }
        if (size <= this.longest && this.held <= this.most) continue;
        this.held -= size;
        blocks = [];
        chunks = [];
        isTaken = false;
      }
      return isTaken ? Buffer.concat([...blocks, ...chunks]) : undefined;
    } catch (error) {
      if (isTaken) this.held -= size;
      throw error;
    }
  }

  /** To be called with its size when what was collected is done with. */
  release(size: number): void {
    this.held -= size;
  }
}
