import type { UploadSource } from '../story/attachment.ts';
import type { SecretFinding } from './secretLines.ts';
import type { CallOptions } from './tracker.ts';

/** A file below a folder. */
export interface FolderFile {
  readonly path: string;
  /** Below the folder, with `/` between the parts. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
}

export interface FolderFiles {
  /** The folder itself, without links in its path: what its files must still lie in when they are read. */
  readonly folder: string;
  /** By name. */
  readonly files: readonly FolderFile[];
  /** Names of what is not among them, sorted: `.git`, `node_modules`, and what is no file. */
  readonly leftOut: readonly string[];
  /** Names of links, sorted, that are not followed: out of the folder, to a folder, or to nothing. */
  readonly links: readonly string[];
  /** There are more than are looked at. */
  readonly isCut: boolean;
}

/** One file of an archive; `source.filename` is its name in there, with `/` between the parts. */
export interface ZipEntry {
  readonly source: UploadSource;
  /** In bytes. */
  readonly size: number;
}

/** How the temporary folder of a file that was made to be sent begins, and what the file in it is called. */
export const MADE_FOLDER = 'story-tracker-made-';
export const MADE_FILES = { archive: 'archive.zip', patch: 'changes.patch' } as const;

/** A file that was made to be sent and that is ours to remove. */
export interface MadeFile {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
}

export interface ZipOptions extends CallOptions {
  /** How many bytes of the files are in the archive. */
  readonly onProgress?: (done: number) => void;
}

/** What is done with files before they are sent, off the extension host's event loop and with flat memory. */
export interface OutgoingFiles {
  /** What looks like a secret: by name, and in the first megabytes. Empty for a file that cannot be read. */
  secretsIn(source: UploadSource, options?: CallOptions): Promise<readonly SecretFinding[]>;
  /** All files below a folder. @throws TrackerError `input` when it cannot be read, `cancelled`. */
  filesBelow(folder: string, options?: CallOptions): Promise<FolderFiles>;
  /** Packs the files into a new archive. @throws TrackerError `input` for a file that cannot be read, `cancelled`. */
  zip(entries: readonly ZipEntry[], options?: ZipOptions): Promise<MadeFile>;
  /** Removes a file that was made here; nothing else. */
  discard(path: string): Promise<void>;
}

/** An archive of the plain ZIP format takes no more: 4 GiB, and so many files. */
export const ZIP_LIMIT = { bytes: 0xf000_0000, files: 65_000 } as const;

/** `.git`, and what Windows opens it by as well: its short name, with dots and spaces behind, and by a stream of it. */
const GIT_FOLDER = /^(?:\.git|git~\d)[. ]*(?:$|:)/i;
/** What else version control and package managers keep for themselves, and can be had again. */
const NOT_TAKEN: ReadonlySet<string> = new Set(['.hg', '.svn', 'node_modules']);

/** Whether a path leads to what Git keeps for itself, where addresses may hold passwords; in any case, as many file systems do. */
export function isGitsOwn(path: string): boolean {
  return path.split(/[\\/]/).some((part) => GIT_FOLDER.test(part));
}

/** Whether an entry of this name is not taken along with its folder. */
export function isNotTaken(name: string): boolean {
  return isGitsOwn(name) || NOT_TAKEN.has(name.toLowerCase());
}

/** Whether a path is a folder's own or lies in it; both as the file system resolves them, without links. */
export function isBelow(path: string, folder: string): boolean {
  const separator = /^(?:[a-z]:|\\)/i.test(folder) ? '\\' : '/';
  return path === folder || path.startsWith(folder.endsWith(separator) ? folder : `${folder}${separator}`);
}

/** `all` that differs from the last commit, what is `staged` of it, or what is `unstaged`. */
export type PatchOf = 'all' | 'staged' | 'unstaged';

/** A repository's changes as a file. Ask only in a trusted workspace; nothing of the repository is run. */
export interface Patches {
  /**
   * The changes of files that Git knows, in the form that `git apply` takes, byte for byte; an empty file when there are none.
   * Filters that a repository configures (as LFS does) are programs, so that their files are taken as they are on disk.
   * @throws Error with a sentence.
   */
  patch(root: string, of: PatchOf, options?: CallOptions): Promise<MadeFile>;
  /** Removes a file that was made here; nothing else. */
  discard(path: string): Promise<void>;
}

/** The beginning of what an address leads to, or all of it. */
export interface Beginning {
  readonly bytes: Uint8Array;
  /** In bytes, where the answer tells, or all of it is here. */
  readonly size?: number;
  readonly isWhole: boolean;
}

export interface SaveOptions extends CallOptions {
  /** Told the bytes written so far, at most some times a second, and how many there will be where the answer tells. */
  readonly onProgress?: (written: number, total: number | undefined) => void;
  /** Whether a file that is there may be replaced; it stays as it is until all has come. */
  readonly isReplacing?: boolean;
}

/**
 * What temporary addresses of attachments lead to (api-v3.md, Attachment). They stand for themselves, so no token goes along.
 * Throws `TrackerError` only.
 */
export interface Downloads {
  /** Reads at most so many bytes. */
  beginning(address: string, most: number, options?: CallOptions): Promise<Beginning>;
  /** Streams into a file and resolves with its size; memory does not grow with it, and nothing stays of what did not come whole. */
  save(address: string, path: string, options?: SaveOptions): Promise<number>;
}
