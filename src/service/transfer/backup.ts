import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../core/errors.ts';
import { isStoredName } from '../attachments/attachmentFiles.ts';
import { markText, PAIRING_FILE, readMark } from '../attachments/folderPairing.ts';
import { UsageError } from '../ground/errors.ts';
import type { DatabaseMark } from '../store/databaseState.ts';
import { DATABASE_FILE, NoDataError } from '../store/openStore.ts';
import { copyToDisk, syncFile, syncFolder, whilePartial } from './wholeFiles.ts';

interface BackupWishes {
  /** The folder to be made. */
  readonly target: string;
  /** Whether the data is in a server, which has means of its own to copy it. */
  readonly isServer: boolean;
  /** Told the part of the files that was copied, from 0 to 1. */
  readonly onProgress: (part: number) => void;
}

interface BackupReport {
  readonly folder: string;
  readonly files: number;
  /** Attachments of which the file is not there, in the data already, or since a moment ago. */
  readonly missing: number;
}

const ATTACHMENTS = 'attachments';

/**
 * Copies the data while services go on writing it. Files come first and again after the database: one that is attached in the meantime is there,
 * and one that is deleted in the meantime was copied already. A folder of the name is there when it is complete, and not before. Data of an
 * older version is copied as it is.
 */
export async function backUp(folder: string, wishes: BackupWishes): Promise<BackupReport> {
  const target = resolve(wishes.target);
  const source = wishes.isServer ? folder : join(folder, DATABASE_FILE);
  if (!(await isThere(source))) throw new NoDataError(folder);
  if (`${target}${sep}`.startsWith(`${folder}${sep}`))
    throw new UsageError(`${target} is inside the data folder and would be lost with it. Choose another folder.`);
  if (wishes.isServer) return backUpFiles(folder, target, wishes);
  if (await isThere(target)) throw new UsageError(`${target} already exists. Choose a new folder.`);
  const partial = `${target}.${process.pid}.part`;
  return whilePartial(partial, async () => {
    await mkdir(join(partial, ATTACHMENTS), { recursive: true, mode: 0o700 });
    await copyFiles(folder, partial, await attachmentsIn(folder), wishes.onProgress);
    const file = join(partial, DATABASE_FILE);
    await copyDatabase(join(folder, DATABASE_FILE), file);
    const names = storedNames(file);
    await copyFiles(folder, partial, names, () => undefined);
    const missing = await removeOthers(partial, names);
    await writePairing(partial, markIn(file));
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
  await syncFolder(join(target, ATTACHMENTS));
  return { folder: target, files: names.length, missing: 0 };
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
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw new Error(`Could not copy a file: ${messageOf(error)}`, { cause: error });
}
