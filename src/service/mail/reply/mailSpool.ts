import { randomBytes } from 'node:crypto';
import { mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorCode } from '../../ground/errors.ts';
import { rest } from '../../ground/slices.ts';
import { MailRefusal } from './refusedMail.ts';

interface SpoolLimits {
  /** Bytes of one mail. */
  readonly longest: number;
  /** Bytes up to which a mail counts as it comes; from then on it has room for the longest, lest all run out of it half received. */
  readonly short: number;
  /** Bytes of all mails that one person is sending, and of all mails. */
  readonly mostOfOne: number;
  readonly most: number;
  /** Bytes of a refused mail that are still read, so that its sender comes to see the answer; a connection that has more is closed. */
  readonly readOn: number;
}

/** A mail that was received; the file is to be removed when it is done with. */
interface SpooledMail {
  readonly path: string;
  remove(): Promise<void>;
}

/** Mails that are being received or wait to be read: files, so that they take no memory, called as drafts are so that they are swept. */
export class MailSpool {
  private readonly folder: string;
  private readonly limits: SpoolLimits;
  private readonly bytes = new Map<string, number>();
  private held = 0;

  constructor(folder: string, limits: SpoolLimits) {
    this.folder = folder;
    this.limits = limits;
  }

  /** Throws when there is no room for a mail of as many bytes as its sender says. */
  refuseBeyondRoom(announced: number): void {
    if (this.held + announced > this.limits.most) throw noRoom();
  }

  /**
   * Writes what someone sends to a file. Throws `MailRefusal` when it is too long or there is no room, and then keeps nothing of it; the
   * stream is destroyed if there is much more of it.
   */
  async receive(stream: Readable, sender: string): Promise<SpooledMail> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const path = join(this.folder, `.${randomBytes(8).toString('hex')}`);
    const room = { held: 0 };
    const remove = async (): Promise<void> => {
      await unlink(path).catch(ignoreMissing);
      this.hold(sender, room, 0);
    };
    // Before anything is read: a file that was still being made when the mail is refused would be there after it was removed.
    const file = await open(path, 'wx', 0o600);
    try {
      const pieces = (source: AsyncIterable<Buffer>): AsyncIterable<Buffer> => this.taken(source, sender, room);
      await pipeline(stream, pieces, file.createWriteStream()).finally(() => file.close());
      return { path, remove };
    } catch (error) {
      await remove();
      throw error;
    }
  }

  /** The pieces as long as they may be taken; throws after the others. */
  private async *taken(source: AsyncIterable<Buffer>, sender: string, room: Room): AsyncIterable<Buffer> {
    let size = 0;
    let refused = 0;
    let refusal: MailRefusal | undefined;
    for await (const piece of source) {
      await rest();
      size += piece.length;
      refusal ??= this.refusalOf(size, sender, room);
      if (refusal) {
        refused += piece.length;
        if (refused > this.limits.readOn) throw refusal;
      } else {
        yield piece;
      }
    }
    if (refusal) throw refusal;
    this.hold(sender, room, size);
  }

  /** Makes room for a mail that has come to a size, unless there is none. */
  private refusalOf(size: number, sender: string, room: Room): MailRefusal | undefined {
    const { longest, short, mostOfOne, most } = this.limits;
    if (size > longest) {
      return new MailRefusal(552, '5.3.4', `An email can have at most ${Math.floor(longest / 1024 / 1024)} MiB.`);
    }
    const needed = size > short ? longest : size;
    const more = needed - room.held;
    if (this.held + more > most || (this.bytes.get(sender) ?? 0) + more > mostOfOne) return noRoom();
    this.hold(sender, room, needed);
    return undefined;
  }

  private hold(sender: string, room: Room, bytes: number): void {
    const more = bytes - room.held;
    room.held = bytes;
    this.held += more;
    const all = (this.bytes.get(sender) ?? 0) + more;
    if (all > 0) this.bytes.set(sender, all);
    else this.bytes.delete(sender);
  }
}

/** Bytes that one mail may have of the room for all. */
interface Room {
  held: number;
}

function noRoom(): MailRefusal {
  return new MailRefusal(452, '4.3.1', 'Too many emails at once. Try again in a moment.');
}

function ignoreMissing(error: unknown): void {
  if (errorCode(error) === 'ENOENT') return;
  throw error;
}
