import type { Dirent } from 'node:fs';
import { type FileHandle, mkdtemp, open, opendir, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import { TrackerError } from '../../core/errors.ts';
import {
  type FolderFile,
  type FolderFiles,
  isBelow,
  isNotTaken,
  MADE_FILES,
  MADE_FOLDER,
  type MadeFile,
  type OutgoingFiles,
  ZIP_LIMIT,
  type ZipEntry,
  type ZipOptions,
} from '../../core/ports/outgoingFiles.ts';
import { isSecretName, type SecretFinding, SecretLines } from '../../core/ports/secretLines.ts';
import type { UploadSource } from '../../core/story/attachment.ts';
import { t } from '../../core/translation.ts';
import { openContents } from '../http/uploadBody.ts';

/** Files, and names that are not taken, that one folder may hold. */
const MOST_FILES = 20_000;
/** Entries that are read of a folder at once. */
const AT_ONCE = 512;

/**
 * All files below a folder. Links are followed to files of the same folder only, never out of it and never to a folder, so that
 * nothing outside is taken along and no ring of links is walked. What is a file now may be a link when it is read: `openContents`
 * looks once more. @throws TrackerError `input` when the folder cannot be read, `cancelled`.
 */
async function filesBelow(folder: string, most: number, signal?: AbortSignal): Promise<FolderFiles> {
  const top = await realpath(folder).catch((error: unknown) => {
    throw unreadable(basename(folder), error);
  });
  const files: FolderFile[] = [];
  const leftOut: string[] = [];
  const links: string[] = [];
  const waiting = [''];
  for (let below = waiting.shift(); below !== undefined; below = waiting.shift()) {
    if ((await realpath(join(top, below)).catch(() => '')) !== join(top, below)) {
      links.push(below);
      continue;
    }
    for await (const entry of entriesOf(folder, top, below)) {
      if (signal?.aborted) throw new TrackerError('cancelled', 'Canceled.');
      const name = below === '' ? entry.name : `${below}/${entry.name}`;
      if (isNotTaken(entry.name)) leftOut.push(name);
      else if (entry.isDirectory()) waiting.push(name);
      else {
        const file = await fileAt(top, name, entry);
        if (file) files.push(file);
        else (entry.isSymbolicLink() ? links : leftOut).push(name);
      }
      if (files.length + leftOut.length + links.length + waiting.length > most) {
        return { folder: top, files: files.slice(0, most), leftOut, links, isCut: true };
      }
    }
  }
  const sorted = files.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return { folder: top, files: sorted, leftOut: leftOut.toSorted(), links: links.toSorted(), isCut: false };
}

/** A few at a time, so that a folder of millions is left early. */
async function* entriesOf(folder: string, top: string, below: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(join(top, below), { bufferSize: AT_ONCE });
  } catch (error) {
    if (error instanceof TrackerError) throw error;
    throw unreadable(join(basename(folder), below), error);
  }
}

function unreadable(name: string, error: unknown): TrackerError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return new TrackerError('input', t('Could not read the folder "{0}" ({1}).', name, code), { cause: error });
}

/** Of a link what it leads to, where that is a file of the folder that would be taken by itself. */
async function fileAt(top: string, name: string, entry: Dirent): Promise<FolderFile | undefined> {
  if (!entry.isFile() && !entry.isSymbolicLink()) return undefined;
  const path = entry.isFile() ? join(top, name) : await linkedFile(top, join(top, name));
  const facts = path === undefined ? undefined : await stat(path).catch(() => undefined);
  return path !== undefined && facts?.isFile() ? { path, name, size: facts.size } : undefined;
}

async function linkedFile(top: string, link: string): Promise<string | undefined> {
  const path = await realpath(link).catch(() => undefined);
  if (path === undefined || !isBelow(path, top)) return undefined;
  return path.slice(top.length).split(/[\\/]/).some(isNotTaken) ? undefined : path;
}

/** Looks at files and packs them; what it makes is in temporary folders of its own until it is discarded. */
export class LocalOutgoingFiles implements OutgoingFiles {
  private readonly mostFiles: number;
  private readonly made = new Set<string>();

  /** Of a folder, at most so many files and names that are not taken are looked at. */
  constructor(mostFiles = MOST_FILES) {
    this.mostFiles = mostFiles;
  }

  secretsIn(...[source, options]: Parameters<OutgoingFiles['secretsIn']>) {
    return secretsIn(source, options?.signal);
  }

  filesBelow(...[folder, options]: Parameters<OutgoingFiles['filesBelow']>) {
    return filesBelow(folder, this.mostFiles, options?.signal);
  }

  async zip(entries: readonly ZipEntry[], options: ZipOptions = {}): Promise<MadeFile> {
    const path = join(await mkdtemp(join(tmpdir(), MADE_FOLDER)), MADE_FILES.archive);
    this.made.add(path);
    try {
      return { path, size: await writeZip(path, entries, options) };
    } catch (error) {
      await this.discard(path);
      throw error;
    }
  }

  async discard(path: string): Promise<void> {
    if (this.made.delete(path)) await rm(dirname(path), { recursive: true, force: true });
  }
}

/** Bytes; what is secret in a longer file stands further up, or is not text. */
const LOOKED_AT = 4 * 1024 * 1024;
const MOST_FINDINGS = 20;

/** What looks like a secret in a file, by its name and its beginning; empty for one that cannot be read. */
async function secretsIn(source: UploadSource, signal?: AbortSignal): Promise<readonly SecretFinding[]> {
  const byName: readonly SecretFinding[] = (await namesOf(source)).some(isSecretName) ? [{ kind: 'secretFile' }] : [];
  return [...byName, ...(await secretsInContents(source, signal))];
}

/** Every name that what is sent goes by: a link may be called anything. */
async function namesOf(source: UploadSource): Promise<readonly string[]> {
  const { filename } = source;
  if (source.kind !== 'file') return [filename];
  const { path } = source;
  return [filename, path, await realpath(path).catch(() => path)];
}

async function secretsInContents(source: UploadSource, signal?: AbortSignal): Promise<readonly SecretFinding[]> {
  const contents = await openContents(source).catch(() => undefined);
  const text = new TextLines();
  const found: SecretFinding[] = [];
  let looked = 0;
  try {
    for await (const piece of contents?.pieces() ?? []) {
      if (signal?.aborted) throw new TrackerError('cancelled', 'Canceled.');
      found.push(...text.take(piece));
      looked += piece.length;
      if (looked >= LOOKED_AT || found.length >= MOST_FINDINGS) break;
    }
    found.push(...text.end());
  } catch (error) {
    if (signal?.aborted) throw error;
  } finally {
    await contents?.close();
  }
  return found.slice(0, MOST_FINDINGS);
}

/** Bytes as lines. Zero bytes are passed over, so that UTF-16, as Windows writes it, reads like UTF-8. */
class TextLines {
  private readonly lines = new SecretLines();
  private rest = '';

  take(piece: Uint8Array): readonly SecretFinding[] {
    const lines = (this.rest + Buffer.from(piece).toString('latin1').replaceAll('\0', '')).split('\n');
    this.rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.lines.take(line));
  }

  end(): readonly SecretFinding[] {
    return this.lines.take(this.rest);
  }
}

/** What is packed already would only cost time. */
const PACKED =
  /^\.(?:zip|gz|tgz|bz2|xz|zst|7z|rar|jar|png|jpe?g|gif|webp|avif|mp[34]|m4a|mov|webm|ogg|pdf|docx|xlsx|pptx|woff2?)$/i;
const LEVEL = 6;

/**
 * Packs the files into a new archive at `path`, piece by piece.
 * @throws TrackerError `input` for what cannot be read or is too much for the plain ZIP format, `cancelled`.
 */
async function writeZip(path: string, entries: readonly ZipEntry[], options: ZipOptions = {}): Promise<number> {
  refuseTooMuch(entries);
  const file = await open(path, 'wx', 0o600);
  try {
    const archive = new Archive(file);
    let done = 0;
    for (const { source } of entries) {
      const put = archive.begin(archiveName(source.filename));
      const contents = await openContents(source);
      try {
        for await (const piece of contents.pieces()) {
          if (options.signal?.aborted) throw new TrackerError('cancelled', 'Canceled.');
          await put(piece, false);
          done += piece.length;
          options.onProgress?.(done);
        }
      } finally {
        await contents.close();
      }
      await put(new Uint8Array(0), true);
    }
    return await archive.end();
  } finally {
    await file.close();
  }
}

function refuseTooMuch(entries: readonly ZipEntry[]): void {
  const bytes = entries.reduce((sum, { size }) => sum + size, 0);
  if (bytes <= ZIP_LIMIT.bytes && entries.length <= ZIP_LIMIT.files) return;
  throw new TrackerError('input', t('Too large for one .zip file.'));
}

/** What is packed goes to the file before more is taken, so that memory stays flat. */
class Archive {
  private readonly file: FileHandle;
  private readonly zip: Zip;
  private ready: Uint8Array[] = [];
  private failure: Error | undefined;
  private size = 0;

  constructor(file: FileHandle) {
    this.file = file;
    this.zip = new Zip((error, data) => {
      if (error) this.failure ??= error;
      else this.ready.push(data);
    });
  }

  begin(name: string): (piece: Uint8Array, isLast: boolean) => Promise<void> {
    const entry = PACKED.test(extname(name)) ? new ZipPassThrough(name) : new ZipDeflate(name, { level: LEVEL });
    this.zip.add(entry);
    return async (piece, isLast) => {
      // The piece is good only now, and what is passed through is written later.
      entry.push(Uint8Array.from(piece), isLast);
      await this.write();
    };
  }

  async end(): Promise<number> {
    this.zip.end();
    await this.write();
    return this.size;
  }

  private async write(): Promise<void> {
    if (this.failure) throw this.failure;
    const { ready } = this;
    this.ready = [];
    for (const bytes of ready) {
      await this.file.appendFile(bytes);
      this.size += bytes.length;
    }
  }
}

/**
 * A file's name as archives may have it: below the folder in which they are unpacked, on every system. A backslash would part
 * names on Windows, a letter with a colon would be a drive.
 */
function archiveName(name: string): string {
  const parts = name.replaceAll('\\', '_').split('/');
  const below = parts.filter((part) => part !== '' && part !== '.' && part !== '..');
  return below.join('/').replace(/^([a-z]):/i, '$1_') || '_';
}
