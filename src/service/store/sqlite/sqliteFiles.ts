import {
  type BigIntStats,
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { messageOf } from '../../../core/errors.ts';
import type { ServiceLog } from '../../ground/background.ts';
import { StoreUnavailable } from '../../ground/errors.ts';
import { resultCode } from './sqliteErrors.ts';

/** Milliseconds between two looks for the sake of reads, and where nothing is read. */
const LOOK_PAUSE = 250;
const IDLE_PAUSE = 1_000;
/** Milliseconds to which file systems round the time of a change, at most. */
const COARSEST_TIME = 2_000;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;
/** At the beginning of the file; SQLite says there how often it was changed, at least, and how many pages it has. */
const HEADER_LENGTH = 100;
const CHANGES_AT = 24;
const PAGES_AT = 28;

/** What may happen to the files of a database while it is open, and what callers are told then. */
const SENTENCES = {
  moved:
    'The data of this service is no longer there. Nothing was changed. An administrator must put it back, or restart the service.',
  replaced:
    'The database of this service was replaced while it was running. Nothing was changed. An administrator must start the service again.',
  overwritten:
    'The database of this service was written over while it was running. Nothing was changed. An administrator must put a backup in its place.',
  damaged:
    'The database of this service is damaged, so it takes no changes. Nothing was changed. An administrator must put a backup in its place.',
} as const;

interface Trouble {
  readonly kind: keyof typeof SENTENCES;
  /** For who runs the service. */
  readonly message: string;
}

interface Known {
  readonly path: string;
  readonly device: bigint;
  readonly inode: bigint;
}

interface Header {
  readonly changes: number;
  readonly pages: number;
}

/**
 * Of all stores of this process that are open. Closing any handle of a file ends the locks that SQLite holds on it, so those of stores
 * that were closed stay open until the last one is.
 */
const handles = new Set<number>();
const idle: number[] = [];

/**
 * The files of an open SQLite database. SQLite goes on reading and writing files that were removed or replaced, and a damaged one as far
 * as it gets: what is committed there is gone. So it is looked, before each commit, whether they are still what stands at their paths.
 */
export class SqliteFiles {
  private readonly file: string;
  private readonly log: ServiceLog;
  private readonly handle: number;
  private known: readonly Known[] = [];
  private header: Header | undefined;
  private writtenAt: bigint | undefined;
  private quietFolder: BigIntStats | undefined;
  /** What no look makes good again. */
  private lasting: Trouble | undefined;
  private told: Trouble['kind'] | undefined;
  private lookedAt = Number.NEGATIVE_INFINITY;
  private found: Trouble | undefined;
  private timer: NodeJS.Timeout | undefined;

  /** Makes the file where it is missing. To be made before the first connection, and closed after the last one. */
  constructor(file: string, log: ServiceLog) {
    this.file = file;
    this.log = log;
    this.handle = openSync(file, 'a+', 0o600);
    handles.add(this.handle);
  }

  /** To be called once the connections are open. `isWhole` looks through the whole file; it is asked where another process found it damaged. */
  watch(isWhole: () => boolean): void {
    this.known = [this.file, `${this.file}-wal`, `${this.file}-shm`].flatMap((path) => {
      const found = statSync(path, { bigint: true, throwIfNoEntry: false });
      return found ? [{ path, device: found.dev, inode: found.ino }] : [];
    });
    const { ino, mtimeNs } = fstatSync(this.handle, { bigint: true });
    if (this.known[0]?.inode !== ino) throw new Error(`${this.file} was replaced while it was opened. Try again.`);
    this.noteWritten(mtimeNs);
    this.timer = setInterval(() => this.look(), IDLE_PAUSE).unref();
    const noted = this.notedDamage();
    if (noted === undefined) return;
    if (noted.inode === String(ino) && !isWhole()) this.found = this.tell(this.damage(noted.message));
    else rmSync(this.mark, { force: true });
  }

  /** Throws `StoreUnavailable` where what is committed now would be lost, or the file is damaged. Takes some microseconds. */
  requireWritable(): void {
    if (!this.isUntouched()) refuse(this.look());
  }

  /** Throws it where that is known from a moment ago. */
  requireLately(purpose: 'write' | 'read'): void {
    const isFresh = this.found === undefined && performance.now() - this.lookedAt < LOOK_PAUSE;
    const trouble = isFresh ? undefined : this.look();
    // A damaged file may be read as far as that goes; another one is not what its readers are to see.
    if (purpose === 'write' || trouble?.kind !== 'damaged') refuse(trouble);
  }

  /** Throws the error, as one that names the mend where it says that the file is damaged. */
  failed(error: unknown): never {
    if (!isDamage(error)) throw error;
    this.foundDamaged(messageOf(error));
    const { kind } = this.lasting ?? { kind: 'damaged' };
    throw new StoreUnavailable(SENTENCES[kind], { isTold: true, cause: error });
  }

  /** From now on nothing is written, by any process that opens this file. */
  foundDamaged(message: string): void {
    if (this.look()) return; // Whoever writes over a file, or replaces it, makes it look damaged.
    this.found = this.tell(this.damage(message));
    const { ino } = fstatSync(this.handle, { bigint: true });
    const noted = { inode: String(ino), at: new Date().toISOString(), message };
    try {
      writeFileSync(this.mark, `${JSON.stringify(noted)}\n`, { mode: 0o600 });
    } catch {
      // Then others find out by themselves.
    }
  }

  /** Whether SQLite may tidy up when the last connection is closed: it does so by path, whatever stands there. */
  mayClose(): boolean {
    const kind = this.look()?.kind;
    return kind === undefined || kind === 'damaged' || !this.isAnyThere();
  }

  /** From now on nothing is looked for. */
  stop(): void {
    clearInterval(this.timer);
  }

  close(): void {
    handles.delete(this.handle);
    idle.push(this.handle);
    if (handles.size === 0) for (const handle of idle.splice(0)) closeSync(handle);
  }

  private look(): Trouble | undefined {
    this.lookedAt = performance.now();
    this.noteFolder();
    this.found = this.lasting ?? this.strangeFile() ?? this.noticedDamage();
    if (this.found) return this.tell(this.found);
    if (this.told !== undefined)
      this.log({ event: 'warning', about: 'database', message: `${this.file} is where it was again.` });
    this.told = undefined;
    return undefined;
  }

  /** Whether no file was added to the folder, removed or replaced since a look that found nothing: then its time is as it was. */
  private isUntouched(): boolean {
    if (this.found !== undefined || performance.now() - this.lookedAt > 2 * IDLE_PAUSE) return false;
    const folder = statIfThere(this.folder);
    return folder !== undefined && sameFolder(folder, this.quietFolder);
  }

  /** What the folder is to be compared with, if that says anything: what happens within a moment leaves the same time behind. */
  private noteFolder(): void {
    const folder = statIfThere(this.folder);
    this.quietFolder = folder && !isRecent(folder.mtimeNs) ? folder : undefined;
  }

  private strangeFile(): Trouble | undefined {
    for (const { path, device, inode } of this.known) {
      const found = statIfThere(path);
      if (found === undefined)
        return { kind: 'moved', message: `${path} is no longer there. ${NO_MORE} ${this.putBack}` };
      if (found.dev !== device || found.ino !== inode) return { kind: 'replaced', message: this.replacedMessage(path) };
      if (path === this.file && this.mayBeWritten(found.mtimeNs)) this.noteWritten(found.mtimeNs);
    }
    return this.lasting;
  }

  /** What is written within a moment of something else leaves the same time behind. */
  private mayBeWritten(writtenAt: bigint): boolean {
    return writtenAt !== this.writtenAt || isRecent(writtenAt);
  }

  /** The first page says so where an older state was copied over the file; SQLite itself never takes these numbers back. */
  private noteWritten(writtenAt: bigint): void {
    const before = this.header;
    this.header = this.readHeader();
    this.writtenAt = writtenAt;
    if (before === undefined || (this.header && !isOlder(this.header, before))) return;
    this.header = this.readHeader(); // It may have been read while it was written.
    if (this.header && !isOlder(this.header, before)) return;
    this.lasting = { kind: 'overwritten', message: `${this.file} was written over. ${NO_MORE} ${this.mend}` };
  }

  private noticedDamage(): Trouble | undefined {
    const noted = statIfThere(this.mark) && this.notedDamage();
    return noted && this.damage(noted.message);
  }

  private damage(message: string): Trouble {
    this.lasting = { kind: 'damaged', message: `${this.file} is damaged: ${message}. ${NO_MORE} ${this.mend}` };
    return this.lasting;
  }

  private tell(trouble: Trouble): Trouble {
    if (this.told !== trouble.kind) this.log({ event: 'error', during: 'database', message: trouble.message });
    this.told = trouble.kind;
    return trouble;
  }

  private readHeader(): Header | undefined {
    const bytes = Buffer.alloc(HEADER_LENGTH);
    if (readSync(this.handle, bytes, 0, HEADER_LENGTH, 0) < HEADER_LENGTH) return undefined;
    return { changes: bytes.readUInt32BE(CHANGES_AT), pages: bytes.readUInt32BE(PAGES_AT) };
  }

  private isAnyThere(): boolean {
    return this.known.some(({ path }) => statIfThere(path) !== undefined);
  }

  /** Says which file was found damaged, for other processes, now and after a start. */
  private get mark(): string {
    return `${this.file}-damaged`;
  }

  private notedDamage(): { readonly inode: string; readonly message: string } | undefined {
    try {
      const { inode, message }: { inode?: unknown; message?: unknown } = JSON.parse(readFileSync(this.mark, 'utf8'));
      return { inode: String(inode), message: String(message) };
    } catch {
      return undefined;
    }
  }

  private replacedMessage(path: string): string {
    const name = basename(this.file);
    return `Another file was put in the place of ${path}. ${NO_MORE} Stop this service. If ${name} was put there alone, move ${name}-wal and ${name}-shm away. Then start it again.`;
  }

  private get putBack(): string {
    const name = basename(this.file);
    return `Put back what was there. To put back ${name} from a backup, stop all services on this folder, move ${name}-wal and ${name}-shm away first, and start again.`;
  }

  private get folder(): string {
    return dirname(this.file);
  }

  private get mend(): string {
    const name = basename(this.file);
    return `Stop all services on this folder, move ${name}, ${name}-wal and ${name}-shm away, put ${name} from a backup there, and start again.`;
  }
}

function refuse(trouble: Trouble | undefined): void {
  if (trouble) throw new StoreUnavailable(SENTENCES[trouble.kind], { isTold: true });
}

const NO_MORE = 'No more changes are taken.';

function isOlder(header: Header, before: Header): boolean {
  return header.changes < before.changes || (header.changes === before.changes && header.pages < before.pages);
}

/** Whether something else may happen, or have happened, at the same time as far as the file system tells. */
function isRecent(time: bigint): boolean {
  return Math.abs(Date.now() - Number(time / 1_000_000n)) < COARSEST_TIME;
}

function sameFolder(folder: BigIntStats, other: BigIntStats | undefined): boolean {
  return folder.mtimeNs === other?.mtimeNs && folder.ino === other.ino && folder.dev === other.dev;
}

function isDamage(error: unknown): boolean {
  const code = (resultCode(error) ?? 0) & 0xff;
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB;
}

/** What cannot be looked at is as good as not there. */
function statIfThere(path: string) {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
