import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { messageOf } from '../../core/errors.ts';
import { isStoredName } from '../attachments/attachmentFiles.ts';
import { markText, PAIRING_FILE, readMark } from '../attachments/folderPairing.ts';
import { errorCode, UsageError } from '../ground/errors.ts';
import type { DatabaseMark } from '../store/databaseState.ts';
import { DATABASE_FILE, NoDataError } from '../store/openStore.ts';
import { copyToDisk, syncFile, syncFolder, whilePartial } from './wholeFiles.ts';

interface BackupWishes {
  /** The folder to be made. */
  readonly target: string;
  /** Whether the folder to be made is one in `target`, named after this moment. */
  readonly isDated: boolean;
  /** Whether the data is in a server, which has means of its own to copy it. */
  readonly isServer: boolean;
  /** Told the part of the work that is done, from 0 to 1. */
  readonly onProgress: (part: number) => void;
}

interface BackupReport {
  readonly folder: string;
  readonly files: number;
  /** Attachments of which the file is not there, in the data already, or since a moment ago. */
  readonly missing: number;
}

/** How the names of folders that are named after a moment begin. */
const DATED = 'story-tracker';
/** Part of the work that is done when all files are copied; the rest is to read what was copied. */
const COPIED = 0.6;

/**
 * Copies the data while services go on writing it. Files come first and again after the database: one that is attached in the meantime is there,
 * and one that is deleted in the meantime was copied already. A folder of the name is there when it is complete, and not before. Data of an
 * older version is copied as it is.
 */
export async function backUp(folder: string, wishes: BackupWishes): Promise<BackupReport> {
  const target = wishes.isDated ? await datedFolder(resolve(wishes.target)) : resolve(wishes.target);
  const source = wishes.isServer ? folder : join(folder, DATABASE_FILE);
  if (!(await isThere(source))) throw new NoDataError(folder);
  if (`${target}${sep}`.startsWith(`${folder}${sep}`))
    throw new UsageError(`${target} is inside the data folder and would be lost with it. Choose another folder.`);
  if (wishes.isServer) return backUpFiles(folder, target, wishes);
  if (await isThere(target)) throw new UsageError(`${target} already exists. Choose a new folder.`);
  const partial = `${target}.${process.pid}.part`;
  const onCopied = (part: number): void => wishes.onProgress(part * COPIED);
  const onRead = (part: number): void => wishes.onProgress(COPIED + part * (1 - COPIED));
  return whilePartial(partial, async () => {
    await mkdir(join(partial, ATTACHMENTS), { recursive: true, mode: 0o700 });
    await copyFiles(folder, partial, await attachmentsIn(folder), onCopied);
    const file = join(partial, DATABASE_FILE);
    await copyDatabase(join(folder, DATABASE_FILE), file);
    const names = storedNames(file);
    await copyFiles(folder, partial, names, () => undefined);
    const missing = await removeOthers(partial, names);
    await writePairing(partial, markIn(file));
    await writeManifest(partial, [DATABASE_FILE, ...(await attachedPaths(partial))], onRead);
    await syncFolder(join(partial, ATTACHMENTS));
    await syncFolder(partial);
    await rename(partial, target);
    await syncFolder(dirname(target));
    return { folder: target, files: names.length - missing, missing };
  });
}

/** The files only, into a folder that may have some of them: they never change. */
async function backUpFiles(folder: string, target: string, { onProgress }: BackupWishes): Promise<BackupReport> {
  await mkdir(join(target, ATTACHMENTS), { recursive: true, mode: 0o700 });
  const names = await attachmentsIn(folder);
  await copyFiles(folder, target, names, onProgress);
  const found = await readFile(join(folder, ATTACHMENTS, PAIRING_FILE), 'utf8').catch(ignoreMissing);
  const mark = found === undefined ? undefined : readMark(found);
  // A dump of the database is older or newer than the copies, so they say to whom they belong, and not since when.
  if (mark) await writePairing(target, { ...mark, version: 0, occurredAt: null });
  await writeManifest(target, await attachedPaths(target), () => undefined, await readManifest(target));
  await syncFolder(join(target, ATTACHMENTS));
  return { folder: target, files: names.length, missing: 0 };
}

/** A folder in `parent` that is not there yet, by today's date here. */
async function datedFolder(parent: string): Promise<string> {
  const now = new Date();
  const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0'));
  const first = join(parent, `${DATED}-${day.join('-')}`);
  for (let count = 1; ; count += 1) {
    const folder = count === 1 ? first : `${first}-${count}`;
    if (!(await isThere(folder))) return folder;
  }
}

async function attachedPaths(folder: string): Promise<readonly string[]> {
  const names = await readdir(join(folder, ATTACHMENTS));
  return names.filter((name) => isStoredName(name) || name === PAIRING_FILE).map((name) => `${ATTACHMENTS}/${name}`);
}

/** So that a service that starts from the copy knows the two to belong together. Data of an older version says nothing of it. */
async function writePairing(folder: string, mark: DatabaseMark | undefined): Promise<void> {
  if (!mark) return;
  const file = join(folder, ATTACHMENTS, PAIRING_FILE);
  await writeFile(`${file}.part`, markText(mark), { mode: 0o600 });
  await syncFile(`${file}.part`);
  await rename(`${file}.part`, file);
}

async function copyFiles(
  from: string,
  to: string,
  names: readonly string[],
  onProgress: (part: number) => void,
): Promise<void> {
  for (const [index, name] of names.entries()) {
    onProgress(index / names.length);
    if (!isStoredName(name)) continue;
    const [source, copy] = [join(from, ATTACHMENTS, name), join(to, ATTACHMENTS, name)];
    if (await isThere(copy)) continue;
    await copyToDisk(source, copy).catch(ignoreMissing);
  }
}

/** SQLite writes a copy of one moment, whatever is written in the meantime. */
async function copyDatabase(from: string, to: string): Promise<void> {
  await writeFile(to, '', { mode: 0o600 });
  const source = new DatabaseSync(from);
  try {
    source.exec('pragma busy_timeout = 20000');
    source.prepare('vacuum into ?').run(to);
  } catch (error) {
    throw new Error(`Could not copy the database to ${to}: ${messageOf(error)}`, { cause: error });
  } finally {
    source.close();
  }
  const copy = new DatabaseSync(to);
  try {
    const { quick_check: found } = copy.prepare('pragma quick_check(1)').get() ?? {};
    if (found !== 'ok') throw new Error(`The copy of the database is damaged, and so may be the database: ${found}`);
  } finally {
    copy.close();
  }
  await syncFile(to);
}

/** As the database names them; it may come from elsewhere, so that names that lead somewhere else are among them. */
function storedNames(file: string): readonly string[] {
  const copy = new DatabaseSync(file);
  try {
    return copy
      .prepare('select "storedAs" as name from attachments')
      .all()
      .map(({ name }) => String(name));
  } finally {
    copy.close();
  }
}

/** How far the copied database had come; undefined where it has no id yet. */
function markIn(file: string): DatabaseMark | undefined {
  const copy = new DatabaseSync(file);
  try {
    const [id] = copy.prepare(`select "value" from secrets where "name" = 'databaseId'`).all();
    const [newest] = copy
      .prepare(
        `select c."value" as version, a."occurredAt" as moment from counters c left join activities a on a."version" = c."value"
         where c."name" = 'activityVersion'`,
      )
      .all();
    if (id === undefined) return undefined;
    const { version = 0, moment = null } = newest ?? {};
    return {
      database: String(id.value),
      version: Number(version),
      occurredAt: moment === null ? null : Number(moment),
    };
  } finally {
    copy.close();
  }
}

/** Leaves the files that the database names, and tells how many of those are not there. */
async function removeOthers(folder: string, names: readonly string[]): Promise<number> {
  const named = new Set(names);
  const copied = await readdir(join(folder, ATTACHMENTS));
  for (const name of copied) if (!named.has(name)) await rm(join(folder, ATTACHMENTS, name));
  return names.length - copied.filter((name) => named.has(name)).length;
}

/** Data to which nothing was ever attached may have no such folder. */
async function attachmentsIn(folder: string): Promise<readonly string[]> {
  if (!(await isThere(join(folder, ATTACHMENTS)))) return [];
  return (await readdir(join(folder, ATTACHMENTS))).filter(isStoredName);
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

function ignoreMissing(error: unknown): undefined {
  if (errorCode(error) === 'ENOENT') return undefined;
  throw new Error(`Could not copy a file: ${messageOf(error)}`, { cause: error });
}

/** In a backup: what belongs to it. */
export const MANIFEST_FILE = 'backup.json';

export const ATTACHMENTS = 'attachments';

interface BackedUpFile {
  readonly bytes: number;
  /** In hex. */
  readonly sha256: string;
}

/** What a backup consists of, and how each file was when it was made. */
export interface BackupManifest {
  readonly format: 1;
  /** A moment in ISO 8601. */
  readonly made: string;
  /** By their paths in the backup, with slashes. */
  readonly files: Readonly<Record<string, BackedUpFile>>;
}

/** Writes what a complete backup consists of. Attached files never change: those that `known` has are not read again. */
async function writeManifest(
  folder: string,
  paths: readonly string[],
  onProgress: (part: number) => void,
  known?: BackupManifest,
): Promise<void> {
  const files: Record<string, BackedUpFile> = {};
  for (const [index, path] of paths.entries()) {
    onProgress(index / paths.length);
    const before = isStoredName(path.slice(ATTACHMENTS.length + 1)) ? known?.files[path] : undefined;
    files[path] = before ?? (await fingerprint(join(folder, path)));
  }
  const manifest: BackupManifest = { format: 1, made: new Date().toISOString(), files };
  const target = join(folder, MANIFEST_FILE);
  await writeFile(`${target}.part`, `${JSON.stringify(manifest, undefined, 1)}\n`, { mode: 0o600 });
  await syncFile(`${target}.part`);
  await rename(`${target}.part`, target);
}

export async function fingerprint(path: string): Promise<BackedUpFile> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return { bytes: (await stat(path)).size, sha256: hash.digest('hex') };
}

/** The manifest of a backup; undefined where there is none. Throws `UsageError` where it is not one. */
export async function readManifest(folder: string): Promise<BackupManifest | undefined> {
  const text = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const read: unknown = JSON.parse(text);
    if (isManifest(read)) return read;
  } catch {
    // Told below.
  }
  throw new UsageError(`${join(folder, MANIFEST_FILE)} is damaged, or from a newer version.`);
}

/** It is printed: nothing in it moves a terminal's cursor. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function isManifest(read: unknown): read is BackupManifest {
  if (typeof read !== 'object' || read === null || !('format' in read) || read.format !== 1) return false;
  if (!('made' in read) || typeof read.made !== 'string' || !MOMENT.test(read.made) || !('files' in read)) return false;
  return typeof read.files === 'object' && read.files !== null && Object.entries(read.files).every(isOfBackup);
}

/** No path in a manifest leads anywhere else. */
function isOfBackup([path, file]: readonly [string, unknown]): boolean {
  const name = path.startsWith(`${ATTACHMENTS}/`) ? path.slice(ATTACHMENTS.length + 1) : undefined;
  const isOurs = name === undefined ? path === DATABASE_FILE : name === PAIRING_FILE || isStoredName(name);
  if (!isOurs || typeof file !== 'object' || file === null) return false;
  return 'bytes' in file && Number.isSafeInteger(file.bytes) && 'sha256' in file && typeof file.sha256 === 'string';
}
