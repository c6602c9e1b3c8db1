import type { ReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode, StoreUnavailable } from '../ground/errors.ts';
import { fileSystemNow } from '../ground/moments.ts';
import {
  type AttachmentFiles,
  checkedName,
  type FilesOwner,
  type FileTrash,
  isStoredName,
  newStoredName,
  noOwner,
  type StoredFile,
  type SweptFile,
} from './attachmentFiles.ts';
import type { FileSink } from './fileSink.ts';
import { batchesIn, FILE_GONE, FILES_GONE, IncomingFiles, ignore, outOfReach } from './incomingFiles.ts';

/** Bytes that are read ahead of whoever takes a file; all files that are being read share some, as far as their least lets them. */
const LEAST_READ_AHEAD = 16 * 1024;
const MOST_READ_AHEAD = 256 * 1024;
const ALL_READ_AHEAD = 4 * 1024 * 1024;

/**
 * The folder of attached files. It is made at the start and never again, since one that is gone may be a disk that comes back. By one rename
 * a file is in its place, or in the trash, or back.
 */
export class FolderFiles implements AttachmentFiles {
  readonly place: string;
  readonly trash: FolderTrash;
  private readonly incoming: IncomingFiles;
  private readonly owner: FilesOwner;
  /** Of files that are being read. */
  private streams = 0;

  private constructor(folder: string, incoming: IncomingFiles, owner: FilesOwner) {
    this.place = folder;
    this.incoming = incoming;
    this.trash = new FolderTrash(join(folder, 'trash'), folder);
    this.owner = owner;
  }

  static async open(folder: string, owner: FilesOwner = noOwner): Promise<FolderFiles> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return new FolderFiles(folder, await IncomingFiles.open(folder), owner);
  }

  get options(): string {
    return `--data ${dirname(this.place)}`;
  }

  path(storedName: string): string {
    return join(this.place, checkedName(storedName));
  }

  async create(storedName: string): Promise<FileSink> {
    await this.owner.requireOwn();
    return this.incoming.create(storedName);
  }

  async keep(storedName: string, sink: FileSink): Promise<void> {
    await this.incoming.finish(storedName, sink, this.path(storedName));
  }

  /** Syncs the folder; Windows has no such call and needs none. */
  async sync(): Promise<void> {
    if (process.platform === 'win32') return;
    const handle = await open(this.place, 'r').catch(outOfReach(FILES_GONE));
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  async requireKept({ storedAs, size }: { readonly storedAs: string; readonly size: number }): Promise<void> {
    const found = await stat(this.path(storedAs)).catch(outOfReach(FILE_GONE));
    if (found.size === size) return;
    throw new StoreUnavailable(FILE_GONE, {
      cause: new Error(`${this.path(storedAs)} was cut to ${found.size} bytes.`),
    });
  }

  noteNamed(): void {
    this.owner.noteNamed();
  }

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

  async sizeOf(storedName: string): Promise<number | undefined> {
    return (await stat(this.path(storedName)).catch(() => undefined))?.size;
  }

  async discard(storedNames: readonly string[]): Promise<void> {
    if (storedNames.length === 0) return;
    const now = await this.now();
    for (const name of storedNames) await this.trash.put(checkedName(name), now);
  }

  async remove(storedName: string): Promise<void> {
    await unlink(this.path(storedName)).catch(ignore(['ENOENT']));
  }

  async abandon(storedName: string): Promise<void> {
    await this.incoming.remove(storedName);
    await this.remove(storedName);
  }

  requireUsable(): Promise<void> {
    return this.incoming.requireUsable();
  }

  /** See `fileSystemNow`. */
  now(): Promise<number> {
    return fileSystemNow(this.incoming.folder);
  }

  async note(name: string): Promise<string | undefined> {
    return readFile(join(this.place, name), 'utf8').catch(ignore(['ENOENT']));
  }

  async noteVersion(name: string): Promise<string | undefined> {
    const found = await stat(join(this.place, name)).catch(() => undefined);
    return found && `${found.ino} ${found.mtimeMs}`;
  }

  async replace(name: string, text: string): Promise<void> {
    const partial = join(this.incoming.folder, `${name}.${newStoredName()}`);
    const handle = await open(partial, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(partial, join(this.place, name));
    await this.sync();
  }

  batches(): AsyncGenerator<readonly StoredFile[]> {
    return batchesIn(this.place, isStoredName);
  }

  sweepIncoming(before: number): Promise<{ readonly files: number; readonly bytes: number }> {
    return this.incoming.sweep(before);
  }

  private opened(storedName: string) {
    return open(this.path(storedName), 'r').catch(ignore(['ENOENT']));
  }

  /** A file that was swept and is named again, as by a database that was restored. A sweep may take it back at the same moment. */
  private async openedFromTrash(storedName: string) {
    await this.trash.takeBack(storedName);
    return this.opened(storedName);
  }
}

const DAY_NAME = /^\d{4}-\d{2}-\d{2}$/;
const BATCH = 500;

/**
 * A folder for each day, beside the files, so that a file goes there and back
 * by one rename, which is done or not done whatever happens.
 */
class FolderTrash implements FileTrash {
  private readonly folder: string;
  /** Where the files come from. */
  private readonly home: string;

  constructor(folder: string, home: string) {
    this.folder = folder;
    this.home = home;
  }

  /** Where what is swept at `now` goes to. */
  place(now: number): string {
    return join(this.folder, new Date(now).toISOString().slice(0, 10));
  }

  /** Whether the file was there to be put away: another process may sweep, too. */
  async put(name: string, now: number): Promise<boolean> {
    await mkdir(this.place(now), { recursive: true, mode: 0o700 });
    return ifThere(rename(join(this.home, name), join(this.place(now), name)));
  }

  /** Puts a file back in its place. Tells whether it was here. */
  async takeBack(name: string): Promise<boolean> {
    for (const day of await this.days()) {
      if (await ifThere(rename(join(this.folder, day, name), join(this.home, name)))) return true;
    }
    return false;
  }

  /** All that is here, some at a time and newest first. */
  async *batches(): AsyncGenerator<readonly SweptFile[]> {
    for (const day of await this.days()) {
      const names = await readdir(join(this.folder, day)).catch(noneThere);
      for (let start = 0; start < names.length; start += BATCH) {
        const batch: SweptFile[] = [];
        for (const name of names.slice(start, start + BATCH)) {
          const found = await stat(join(this.folder, day, name)).catch(() => undefined);
          if (found?.isFile()) batch.push({ name, day, bytes: found.size });
        }
        yield batch;
      }
    }
  }

  async removeForGood({ day, name }: SweptFile): Promise<void> {
    await ifThere(unlink(join(this.folder, day, name)));
  }

  /** Removes the folders of days of which nothing is left. */
  async removeEmptyDays(): Promise<void> {
    for (const day of await this.days()) await rmdir(join(this.folder, day)).catch(() => undefined);
  }

  /** Newest first; none before anything was swept. */
  private async days(): Promise<readonly string[]> {
    const names = await readdir(this.folder).catch(noneThere);
    return names
      .filter((name) => DAY_NAME.test(name))
      .sort()
      .reverse();
  }
}

function noneThere(error: unknown): readonly string[] {
  if (errorCode(error) === 'ENOENT') return [];
  throw error;
}

async function ifThere(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
