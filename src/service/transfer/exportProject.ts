import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { UsageError } from '../ground/errors.ts';
import type { Database } from '../store/database.ts';
import type { OpenedStore } from '../store/openStore.ts';
import { projectById } from '../store/projects/projects.ts';
import { filesOfProject } from '../store/stories/attachments.ts';
import { exportCsv } from './csv/exportCsv.ts';
import { copyForOwner, whilePartial, writeTrouble } from './wholeFiles.ts';
import { exportXml } from './xml/exportXml.ts';

interface ExportWishes {
  readonly projectId: number;
  readonly format: 'xml' | 'csv';
  /** The service's address, for those of stories. */
  readonly base?: string;
  /** Where to; standard output when it is not said. */
  readonly path?: string;
  /** Whether XML says where the project's activity is posted to. */
  readonly hasWebHook?: boolean;
  /** Folder to be filled with the attached files, each called by the id of its attachment. */
  readonly attachments?: string;
  readonly now: number;
}

/**
 * Writes a project with all its stories as of one moment, and then the files that are attached. A file is there when it is complete,
 * and not before. Tells how many attachments have no file, or had one until a moment ago. Throws a sentence with the mend where a file
 * cannot be written.
 */
export async function exportProject({ database, folder }: OpenedStore, wishes: ExportWishes): Promise<number> {
  const { attachments, projectId, path } = wishes;
  await exportStories(database, wishes).catch((error: unknown) => {
    throw writeTrouble(error, path ?? 'standard output', '--output');
  });
  if (attachments === undefined) return 0;
  return exportFiles(database, folder, projectId, attachments).catch((error: unknown) => {
    throw writeTrouble(error, attachments, '--attachments');
  });
}

async function exportStories(database: Database, wishes: ExportWishes): Promise<void> {
  const { path } = wishes;
  if (path === undefined) return database.read((tx) => written(textOf(tx, wishes), process.stdout));
  const writeTo = (file: string, flags: 'w' | 'wx') =>
    database.read((tx) => pipeline(textOf(tx, wishes), createWriteStream(file, { flags, mode: 0o600 })));
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) throw new UsageError(`${path} is a folder. Pass a file with --output.`);
  if (found && !found.isFile()) return writeTo(path, 'w'); // A device or a pipe has to stay what it is.
  const partial = `${path}.${process.pid}.part`;
  await whilePartial(partial, async () => {
    await rm(partial, { force: true }); // Of a process that was killed.
    await writeTo(partial, 'wx');
    await rename(partial, path);
  });
}

async function exportFiles(database: Database, folder: string, projectId: number, target: string): Promise<number> {
  const rows = await database.read((tx) => filesOfProject(tx, projectId));
  await mkdir(target, { recursive: true, mode: 0o700 });
  // A folder that was there may be open to others, as files are until their copy is made.
  const closed = await mkdtemp(join(target, '.export-'));
  return whilePartial(closed, async () => {
    let missing = 0;
    for (const { id, storedAs } of rows) {
      const copy = join(closed, String(id));
      try {
        await copyForOwner(join(folder, 'attachments', storedAs), copy);
        await rename(copy, join(target, String(id)));
      } catch (error) {
        if (!isMissing(error)) throw error;
        missing += 1;
      }
    }
    return missing;
  });
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

async function* textOf(tx: Parameters<typeof projectById>[0], wishes: ExportWishes): AsyncGenerator<string> {
  const { projectId, format, base, now } = wishes;
  const project = await projectById(tx, projectId);
  if (!project) throw new UsageError(`No project has the ID ${projectId}.`);
  yield* format === 'xml' ? exportXml(tx, project, wishes) : exportCsv(tx, project, base, now);
}

/** Standard output is not ended, since the process prints on it after this. */
async function written(pieces: AsyncIterable<string>, stream: Writable): Promise<void> {
  for await (const piece of pieces) {
    if (stream.destroyed) return;
    if (!stream.write(piece)) await Promise.race([once(stream, 'drain'), once(stream, 'close')]);
  }
}
