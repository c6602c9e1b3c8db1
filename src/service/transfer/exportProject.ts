import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { UsageError } from '../commandLine/usageError.ts';
import type { Database } from '../store/database.ts';
import { projectById } from '../store/projects.ts';
import { exportCsv } from './exportCsv.ts';
import { exportXml } from './exportXml.ts';

export interface ExportWishes {
  readonly projectId: number;
  readonly format: 'xml' | 'csv';
  /** The service's address, for those of stories. */
  readonly base?: string;
  /** Where to; standard output when it is not said. */
  readonly path?: string;
  readonly now: number;
}

/** Writes a project with all its stories as of one moment. A file is there when it is complete, and not before. */
export async function exportProject(database: Database, wishes: ExportWishes): Promise<void> {
  const { path } = wishes;
  if (path === undefined) return database.read((tx) => written(textOf(tx, wishes), process.stdout));
  const partial = `${path}.${process.pid}.part`;
  try {
    await database.read((tx) => pipeline(textOf(tx, wishes), createWriteStream(partial)));
    await rename(partial, path);
  } finally {
    await rm(partial, { force: true });
  }
}

async function* textOf(tx: Parameters<typeof projectById>[0], wishes: ExportWishes): AsyncGenerator<string> {
  const { projectId, format, base, now } = wishes;
  const project = await projectById(tx, projectId);
  if (!project) throw new UsageError(`There is no project ${projectId}.`);
  yield* format === 'xml' ? exportXml(tx, project, base) : exportCsv(tx, project, base, now);
}

/** Standard output is not ended, since the process prints on it after this. */
async function written(pieces: AsyncIterable<string>, stream: Writable): Promise<void> {
  for await (const piece of pieces) {
    if (stream.destroyed) return;
    if (!stream.write(piece)) await Promise.race([once(stream, 'drain'), once(stream, 'close')]);
  }
}
