import { randomBytes } from 'node:crypto';
import type { ReadStream } from 'node:fs';
import { access, constants, type FileHandle, mkdir, open, opendir, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../core/errors.ts';
import { StoreUnavailable } from '../ground/errors.ts';
import { fileSystemNow } from '../ground/moments.ts';
import { FileSink } from './fileSink.ts';
import { FileTrash } from './trash.ts';

/** Files that are asked about at once; a query takes some ten thousand values at most. */
const BATCH = 500;
const STORED_NAME = /^[0-9a-f]{32}$/;
/** Uploads, and small files that are about to be replaced. */
const UNFINISHED = /^(?:[a-z]+\.json\.)?[0-9a-f]{32}$/;
/** What says that the folder is not there, or not ours to write: removed, another disk, other rights. */
const OUT_OF_REACH = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ESTALE'];
const NOT_WRITABLE = ['EROFS', 'EACCES', 'EPERM', 'ENOSPC'];

const FOLDER_GONE =
  'The attached files of this service are not available right now. Nothing was changed. Try again later.';
/** For the log only. */
const PUT_BACK = 'Put the folder back, or restart the service to create a new one.';
const FILE_GONE = 'The file was lost before it was attached. Nothing was changed. Send it again.';

/** Bytes that are read ahead of whoever takes a file; all files that are being read share some, as far as their least lets them. */
const LEAST_READ_AHEAD = 16 * 1024;
const MOST_READ_AHEAD = 256 * 1024;
const ALL_READ_AHEAD = 4 * 1024 * 1024;

/** A file in the folder as the file system tells of it. */
export interface StoredFile {
  readonly name: string;
  readonly bytes: number;
  /** Milliseconds since the epoch, by the clock of the file system. */
  readonly changedAt: number;
}

/** Knows to which database the folder belongs. */
interface FolderOwner {
  /** Throws `StoreUnavailable` where that is another one, which would take each file that arrives for left over. */
  requireOwn(): Promise<void>;
  /** Told after each commit by which the store names files. */
  noteNamed(): void;
}

const nobody: FolderOwner = { requireOwn: async () => undefined, noteNamed: () => undefined };

/**
 * The folder of attached files. Names are random and ours. A file arrives in `incoming`, and is in its place, complete and on disk, before
 * the store names it: whatever goes wrong leaves at most a file that no attachment names. The folder is made at the start and never
 * again, since one that is gone may be a disk that comes back. What needs it then throws `StoreUnavailable`.
 */
export class AttachmentFiles {
  readonly folder: string;
  readonly trash: FileTrash;
  private readonly incoming: string;
  private readonly owner: FolderOwner;
  /** Of files that are being read. */
  private streams = 0;

  private constructor(folder: string, owner: FolderOwner) {
    this.folder = folder;
    this.incoming = join(folder, 'incoming');
    this.trash = new FileTrash(join(folder, 'trash'), folder);
    this.owner = owner;
  }

  static async open(folder: string, owner: FolderOwner = nobody): Promise<AttachmentFiles> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const files = new AttachmentFiles(folder, owner);
    // A folder that can only be read serves what it holds.
    await mkdir(files.incoming, { recursive: true, mode: 0o700 }).catch(ignore(NOT_WRITABLE));
    return files;
  }

  newName(): string {
    return randomBytes(16).toString('hex');
  }

  path(storedName: string): string {
    return join(this.folder, checked(storedName));
  }

  /** A new file, which is not in its place until `keep` puts it there. Throws where the files here are those of another database. */
  async create(storedName: string): Promise<FileSink> {
    await this.owner.requireOwn();
    return FileSink.create(this.incomingPath(storedName)).catch(outOfReach(FOLDER_GONE));
  }

  /** Finishes a file and puts it in its place, for good once the folder is synced, too. */
  async keep(storedName: string, sink: FileSink): Promise<void> {
    await sink.finish(() => rename(this.incomingPath(storedName), this.path(storedName)).catch(outOfReach(FILE_GONE)));
  }

  /** Makes new names in the folder survive a power cut; Windows has no such call and needs none. */
  async syncFolder(): Promise<void> {
    if (process.platform === 'win32') return;
    const handle = await open(this.folder, 'r').catch(outOfReach(FOLDER_GONE));
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  /** Throws unless a file is in its place and whole. To be asked right before the store names it. */
  async requireKept({ storedAs, size }: { readonly storedAs: string; readonly size: number }): Promise<void> {
    const found = await stat(this.path(storedAs)).catch(outOfReach(FILE_GONE));
    if (found.size === size) return;
    throw new StoreUnavailable(FILE_GONE, {
      cause: new Error(`${this.path(storedAs)} was cut to ${found.size} bytes.`),
    });
  }

  /** To be called after a commit by which the store names files. */
  noteNamed(): void {
    this.owner.noteNamed();
  }

  /** The bytes of a file, which must be as long as the store says; undefined when it is gone or was cut. */
  async read(storedName: string, size: number): Promise<ReadStream | undefined> {
    const handle = (await this.opened(storedName)) ?? (await this.openedFromTrash(storedName));
    if (!handle) {
      await this.requireUsable();
      return undefined;
    }
    if ((await handle.stat()).size === size) return this.stream(handle);
    await handle.close();
    return undefined;
  }

  private stream(handle: FileHandle): ReadStream {
    this.streams += 1;
    const share = 2 ** Math.floor(Math.log2(ALL_READ_AHEAD / this.streams)); // Of few sizes, so that memory can be used again.
    const highWaterMark = Math.max(LEAST_READ_AHEAD, Math.min(share, MOST_READ_AHEAD));
    return handle.createReadStream({ highWaterMark }).once('close', () => {
      this.streams -= 1;
    });
  }

  /** Sends files to the trash that were attached: an older copy of the database, put back within a month, finds them. */
  async discard(storedNames: readonly string[]): Promise<void> {
    if (storedNames.length === 0) return;
    const now = await this.now();
    for (const name of storedNames) await this.trash.put(checked(name), now);
  }

  /** For good: what was never attached. */
  async remove(storedName: string): Promise<void> {
    await unlink(this.path(storedName)).catch(ignore(['ENOENT']));
  }

  /** Removes what came of an upload, wherever it is by now. */
  async abandon(storedName: string): Promise<void> {
    await unlink(this.incomingPath(storedName)).catch(ignore(['ENOENT']));
    await this.remove(storedName);
  }

  /** Throws when files can be neither written nor read. */
  async requireUsable(): Promise<void> {
    await access(this.incoming, constants.R_OK | constants.W_OK | constants.X_OK).catch(outOfReach(FOLDER_GONE));
  }

  /** See `fileSystemNow`. */
  now(): Promise<number> {
    return fileSystemNow(this.incoming);
  }

  /** Replaces a small file of our own in the folder: all of it is there for good when this resolves, or what was there before. */
  async replace(name: string, text: string): Promise<void> {
    const partial = join(this.incoming, `${name}.${this.newName()}`);
    const handle = await open(partial, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(partial, join(this.folder, name));
    await this.syncFolder();
  }

  /** All files in their places, some at a time. */
  batches(): AsyncGenerator<readonly StoredFile[]> {
    return this.batchesIn(this.folder, STORED_NAME);
  }

  /**
   * Removes what uploads left that were cut off by a kill, once it is older than `before`. No living upload is silent for so long: it
   * writes at least once an hour, or is ended.
   */
  async sweepIncoming(before: number): Promise<{ readonly files: number; readonly bytes: number }> {
    const swept = { files: 0, bytes: 0 };
    for await (const batch of this.batchesIn(this.incoming, UNFINISHED)) {
      for (const { name, bytes } of batch.filter(({ changedAt }) => changedAt < before)) {
        await unlink(join(this.incoming, name)).catch(ignore(['ENOENT']));
        swept.files += 1;
        swept.bytes += bytes;
      }
    }
    return swept;
  }

  private async *batchesIn(folder: string, names: RegExp): AsyncGenerator<readonly StoredFile[]> {
    let batch: StoredFile[] = [];
    for await (const { name } of await opendir(folder)) {
      if (!names.test(name)) continue;
      const found = await stat(join(folder, name)).catch(ignore(['ENOENT']));
      if (found) batch.push({ name, bytes: found.size, changedAt: found.mtimeMs });
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }

  private opened(storedName: string) {
    return open(this.path(storedName), 'r').catch(ignore(['ENOENT']));
  }

  /** A file that was swept and is named again, as by a database that was restored. A sweep may take it back at the same moment. */
  private async openedFromTrash(storedName: string) {
    await this.trash.takeBack(storedName);
    return this.opened(storedName);
  }

  private incomingPath(storedName: string): string {
    return join(this.incoming, checked(storedName));
  }
}

/** Whether a file of this name in the folder is one that was attached. */
export function isStoredName(name: string): boolean {
  return STORED_NAME.test(name);
}

function checked(storedName: string): string {
  if (!isStoredName(storedName)) throw new Error('Not the name of a stored attachment.');
  return storedName;
}

function outOfReach(sentence: string): (error: unknown) => never {
  return (error) => {
    if (!OUT_OF_REACH.includes(codeOf(error))) throw error;
    const mend = sentence === FOLDER_GONE ? ` ${PUT_BACK}` : '';
    throw new StoreUnavailable(sentence, { cause: new Error(`${messageOf(error)}.${mend}`, { cause: error }) });
  };
}

function ignore(codes: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (codes.includes(codeOf(error))) return undefined;
    throw error;
  };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
