import type { Stats } from 'node:fs';
import { lstat, mkdir, readdir, rename, rmdir } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { errorCode, UsageError } from '../ground/errors.ts';
import { DATABASE_FILE } from '../store/openStore.ts';
import { ATTACHMENTS, type BackupManifest, fingerprint, MANIFEST_FILE, readManifest } from './backup.ts';
import { copyForOwner, syncFolder, whilePartial } from './wholeFiles.ts';

interface RestoreReport {
  readonly folder: string;
  /** When the backup was made. */
  readonly made: string;
  readonly files: number;
  readonly hasDatabase: boolean;
}

/**
 * Copies a backup to where a service finds its data, and takes nothing's place. Each file is compared with what it was when the backup was
 * made; where one differs, nothing is restored.
 */
export async function restore(
  backup: string,
  data: string,
  onProgress: (part: number) => void,
): Promise<RestoreReport> {
  const [source, target] = [resolve(backup), resolve(data)];
  const manifest = await readManifest(source);
  if (!manifest) throw new UsageError(`${source} is not a backup: it has no ${MANIFEST_FILE}.`);
  if (`${target}${sep}`.startsWith(`${source}${sep}`))
    throw new UsageError(`${target} is inside the backup. Choose another folder with --data.`);
  const present = await entriesOf(target);
  if (present !== undefined && present.length > 0)
    throw new UsageError(`${target} is not empty. Move what is in it away, or choose another folder with --data.`);
  // A folder that is there may be all that this user is allowed to write.
  const partial = present === undefined ? `${target}.${process.pid}.part` : join(target, `restore.${process.pid}.part`);
  await whilePartial(partial, async () => {
    await mkdir(join(partial, ATTACHMENTS), { recursive: true, mode: 0o700 });
    await copyVerified(manifest, source, partial, onProgress);
    await syncFolder(join(partial, ATTACHMENTS));
    await syncFolder(partial);
    if (present === undefined) await rename(partial, target);
    else await moveOut(partial, target);
    await syncFolder(dirname(target));
  });
  const paths = Object.keys(manifest.files);
  const hasDatabase = paths.includes(DATABASE_FILE);
  const files = paths.filter((path) => /\/[0-9a-f]+$/.test(path)).length;
  return { folder: target, made: manifest.made, files, hasDatabase };
}

async function copyVerified(
  { files }: BackupManifest,
  source: string,
  target: string,
  onProgress: (part: number) => void,
): Promise<void> {
  const all = Object.entries(files);
  for (const [index, [path, expected]] of all.entries()) {
    onProgress(index / all.length);
    const [original, copy] = [join(source, path), join(target, path)];
    const { size } = await ownFile(original, path);
    // What is longer is not even copied: it may be as long as the disk.
    if (size !== expected.bytes) throw changed(path);
    await copyForOwner(original, copy);
    const found = await fingerprint(copy);
    if (found.bytes !== expected.bytes || found.sha256 !== expected.sha256) throw changed(path);
  }
}

function changed(path: string): Error {
  return new Error(`${path} is not as it was when the backup was made. Nothing was restored.`);
}

/** A file of a backup itself: a link leads elsewhere, and a device or a pipe may never end. */
async function ownFile(original: string, path: string): Promise<Stats> {
  const found = await lstat(original).catch((error: unknown) => {
    throw errorCode(error) === 'ENOENT'
      ? new Error(`${path} is missing from the backup. Nothing was restored.`, { cause: error })
      : error;
  });
  if (!found.isFile()) throw new Error(`${path} is not a file in the backup. Nothing was restored.`);
  return found;
}

/** The database comes last: without it, nobody takes what is there for data. */
async function moveOut(partial: string, target: string): Promise<void> {
  const names = await readdir(partial);
  for (const name of names.sort()) await rename(join(partial, name), join(target, name));
  await rmdir(partial);
  await syncFolder(target);
}

/** Undefined where there is no such folder. */
async function entriesOf(folder: string): Promise<readonly string[] | undefined> {
  return readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    if (errorCode(error) === 'ENOTDIR')
      throw new UsageError(`${folder} is not a folder. Choose another one with --data.`);
    throw error;
  });
}
