import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { FileSink } from './fileSink.ts';

const STORED_NAME = /^[0-9a-f]{32}$/;

/** A file that was attached, as its place tells of it. */
export interface StoredFile {
  readonly name: string;
  readonly bytes: number;
  /** Milliseconds since the epoch, by the clock of the place. */
  readonly changedAt: number;
}

/** A file that was swept. */
export interface SweptFile {
  readonly name: string;
  /** `YYYY-MM-DD` in UTC, by the clock of the place: when it was swept. */
  readonly day: string;
  readonly bytes: number;
}

/** Knows to which database the files belong. */
export interface FilesOwner {
  /** Throws `StoreUnavailable` where that is another one, which would take each file that arrives for left over. */
  requireOwn(): Promise<void>;
  /** Told after each commit by which the store names files. */
  noteNamed(): void;
}

export const noOwner: FilesOwner = { requireOwn: async () => undefined, noteNamed: () => undefined };

/**
 * The attached files, in a folder or in a bucket. Names are random and ours. A file arrives on this machine, and is in its place, complete
 * and for good, before the store names it: whatever goes wrong leaves at most a file that no attachment names. Where the place is out of reach,
 * all that needs it throws `StoreUnavailable`.
 */
export interface AttachmentFiles {
  /** The path of the folder, or the address of the bucket, for an operator. */
  readonly place: string;
  /** The options by which commands find it. */
  readonly options: string;
  readonly trash: FileTrash;
  /** A new file, which is not in its place until `keep` puts it there. Throws where the files here are those of another database. */
  create(storedName: string): Promise<FileSink>;
  /** Finishes a file and puts it in its place, for good once all are synced, too. */
  keep(storedName: string, sink: FileSink): Promise<void>;
  /** Makes new names survive a power cut. */
  sync(): Promise<void>;
  /** Throws unless a file is in its place and whole. To be asked right before the store names it. */
  requireKept(file: { readonly storedAs: string; readonly size: number }): Promise<void>;
  /** To be called after a commit by which the store names files. */
  noteNamed(): void;
  /** The bytes of a file, which must be as long as the store says; undefined when it is gone or was cut. */
  read(storedName: string, size: number): Promise<Readable | undefined>;
  /** Bytes of a file in its place; undefined where there is none. */
  sizeOf(storedName: string): Promise<number | undefined>;
  /** Sends files to the trash that were attached: an older copy of the database, put back within a month, finds them. */
  discard(storedNames: readonly string[]): Promise<void>;
  /** For good: what was never attached. */
  remove(storedName: string): Promise<void>;
  /** Removes what came of an upload, wherever it is by now. */
  abandon(storedName: string): Promise<void>;
  /** Throws when files can be neither written nor read. */
  requireUsable(): Promise<void>;
  /** Milliseconds since the epoch by the clock that dates the files. */
  now(): Promise<number>;
  /** All files in their places, some at a time. */
  batches(): AsyncGenerator<readonly StoredFile[]>;
  /** Removes what uploads left that were cut off by a kill, once it is older than `before`. */
  sweepIncoming(before: number): Promise<{ readonly files: number; readonly bytes: number }>;
  /** The text of a small file of our own; undefined where there is none. */
  note(name: string): Promise<string | undefined>;
  /** Changes whenever the note of this name is written; undefined where there is none or it cannot be asked. */
  noteVersion(name: string): Promise<string | undefined>;
  /** Replaces a small file of our own: all of it is there for good when this resolves, or what was there before. */
  replace(name: string, text: string): Promise<void>;
}

/** Where swept files stay for a month: a mistaken sweep loses nothing. */
export interface FileTrash {
  /** Where what is swept at `now` goes to. */
  place(now: number): string;
  /** Whether the file was there to be put away: another process may sweep, too. */
  put(name: string, now: number): Promise<boolean>;
  /** Puts a file back in its place. Tells whether it was here. */
  takeBack(name: string): Promise<boolean>;
  /** All that is here, some at a time and newest first. */
  batches(): AsyncGenerator<readonly SweptFile[]>;
  removeForGood(file: SweptFile): Promise<void>;
  /** Removes what is left of days of which all files are gone. */
  removeEmptyDays(): Promise<void>;
}

const DAY = 24 * 60 * 60 * 1000;
/** Counted from the end of the day on which a file was swept. */
const MONTH = 31 * DAY;

/** Whether a file was swept so long ago that it may go for good. */
export function isOver({ day }: SweptFile, now: number): boolean {
  return now - (Date.parse(day) + DAY) > MONTH;
}

export function newStoredName(): string {
  return randomBytes(16).toString('hex');
}

/** Whether a file of this name is one that was attached. */
export function isStoredName(name: string): boolean {
  return STORED_NAME.test(name);
}

/** Throws for a name that is not ours, since it becomes part of a path. */
export function checkedName(storedName: string): string {
  if (!isStoredName(storedName)) throw new Error('Not the name of a stored attachment.');
  return storedName;
}
