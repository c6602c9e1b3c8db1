import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { IterationSlot } from '../../core/backlog/plannedIteration.ts';
import type { Story } from '../../core/story/story.ts';
import type { AttachmentFiles } from '../attachments/attachmentFiles.ts';
import { type FilesPlace, openAttachmentFiles } from '../attachments/openAttachmentFiles.ts';
import { projectPlan } from '../cache/projectViews.ts';
import { UsageError } from '../ground/errors.ts';
import type { Database, Tx } from '../store/database.ts';
import type { OpenedStore } from '../store/openStore.ts';
import { overridesOfProject } from '../store/projects/projectParts.ts';
import { type ProjectRow, projectById } from '../store/projects/projects.ts';
import { filesOfProject } from '../store/stories/attachments.ts';
import { mostInStory, storyBatches } from '../store/stories/storyBatches.ts';
import { planningRows } from '../store/stories/storyRows.ts';
import { cellOfText, csvLine, writeCsvComment } from './csv/csvCells.ts';
import { CSV_COLUMNS } from './csv/csvRow.ts';
import { exportXml } from './projectXml.ts';
import { whilePartial, writeTrouble } from './wholeFiles.ts';

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
export async function exportProject(data: OpenedStore & FilesPlace, wishes: ExportWishes): Promise<number> {
  const { database } = data;
  const { attachments, projectId, path } = wishes;
  await exportStories(database, wishes).catch((error: unknown) => {
    throw writeTrouble(error, path ?? 'standard output', '--output');
  });
  if (attachments === undefined) return 0;
  const files = await openAttachmentFiles(data);
  return exportFiles(database, files, projectId, attachments).catch((error: unknown) => {
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

async function exportFiles(
  database: Database,
  files: AttachmentFiles,
  projectId: number,
  target: string,
): Promise<number> {
  const rows = await database.read((tx) => filesOfProject(tx, projectId));
  await mkdir(target, { recursive: true, mode: 0o700 });
  // A folder that was there may be open to others, as files are until their copy is made.
  const closed = await mkdtemp(join(target, '.export-'));
  return whilePartial(closed, async () => {
    let missing = 0;
    for (const { id, storedAs } of rows) {
      const bytes = await wholeFile(files, storedAs);
      if (!bytes) {
        missing += 1;
        continue;
      }
      const copy = join(closed, String(id));
      await pipeline(bytes, createWriteStream(copy, { flags: 'wx', mode: 0o600, flush: true }));
      await rename(copy, join(target, String(id)));
    }
    return missing;
  });
}

/** Whatever is there of a file, also where it was cut. */
async function wholeFile(files: AttachmentFiles, storedAs: string) {
  const size = await files.sizeOf(storedAs);
  return size === undefined ? undefined : files.read(storedAs, size);
}

async function* textOf(tx: Tx, wishes: ExportWishes): AsyncGenerator<string> {
  const { projectId } = wishes;
  const project = await projectById(tx, projectId);
  if (!project) throw new UsageError(`No project has the ID ${projectId}.`);
  yield* exportText(tx, project, wishes);
}

/** A project with all its stories, in pieces. */
export function exportText(
  tx: Tx,
  project: ProjectRow,
  wishes: Pick<ExportWishes, 'format' | 'base' | 'hasWebHook' | 'now'>,
): AsyncGenerator<string> {
  const { format, base, now } = wishes;
  return format === 'xml' ? exportXml(tx, project, wishes) : exportCsv(tx, project, base, now);
}

/** Standard output is not ended, since the process prints on it after this. */
async function written(pieces: AsyncIterable<string>, stream: Writable): Promise<void> {
  for await (const piece of pieces) {
    if (stream.destroyed) return;
    if (!stream.write(piece)) await Promise.race([once(stream, 'drain'), once(stream, 'close')]);
  }
}

/** Columns of comments, and of tasks. A story with more goes on in further rows, so that one story does not widen those of all. */
const MOST_COLUMNS = 20;
const COLUMNS = Object.values(CSV_COLUMNS);

interface Table {
  readonly base: string | undefined;
  /** Of each story that is in one. */
  readonly iterations: ReadonlyMap<number, IterationSlot>;
  readonly notes: number;
  readonly tasks: number;
}

/**
 * The stories of a project as the table that the closed service exported, in pieces. Days are in UTC. Comments and tasks that a row has
 * no columns for follow in rows that hold nothing but them and the story's id.
 */
async function* exportCsv(tx: Tx, project: ProjectRow, base: string | undefined, now: number): AsyncGenerator<string> {
  const [notes, tasks] = [await columns(tx, 'notes', project.id), await columns(tx, 'tasks', project.id)];
  const table = { base, iterations: await iterationsOf(tx, project, now), notes, tasks };
  const comments = Array.from({ length: notes }, () => 'Comment');
  yield csvLine([
    ...COLUMNS.map(({ title }) => title),
    ...comments,
    ...Array.from({ length: tasks }, () => ['Task', 'Task Status']).flat(),
  ]);
  for await (const batch of storyBatches(tx, project)) {
    for (const { story, further } of batch) {
      const [first = [], ...others] = partsOf(story, table);
      yield [[...cellsOf(story, table), ...first], ...others.map((parts) => furtherRow(story, parts))]
        .map(csvLine)
        .join('');
      for await (const more of further()) {
        yield partsOf(more, table)
          .map((parts) => csvLine(furtherRow(story, parts)))
          .join('');
      }
    }
  }
}

/** Holds nothing but the story's id and comments and tasks. */
function furtherRow({ id }: Story, parts: readonly string[]): readonly string[] {
  return [...filled([String(id)], COLUMNS.length), ...parts];
}

/** The cells of comments and tasks, row by row. */
function partsOf(story: Pick<Story, 'notes' | 'tasks'>, table: Table): readonly (readonly string[])[] {
  const comments = story.notes.map(({ text, author = '', notedAt }) =>
    cellOfText(writeCsvComment({ text, author, ...(notedAt?.time !== undefined && { notedAt: notedAt.time }) })),
  );
  const tasks = story.tasks.flatMap(({ description, complete }) => [
    cellOfText(description),
    complete ? 'completed' : 'not completed',
  ]);
  const [notesWidth, tasksWidth] = [table.notes, 2 * table.tasks];
  const parts = (row: number): readonly string[] => [
    ...filled(comments.slice(row * notesWidth, (row + 1) * notesWidth), notesWidth),
    ...filled(tasks.slice(row * tasksWidth, (row + 1) * tasksWidth), tasksWidth),
  ];
  const rows = Math.max(rowsFor(comments, notesWidth), rowsFor(tasks, tasksWidth));
  return Array.from({ length: rows }, (_, row) => parts(row));
}

function rowsFor(cells: readonly string[], width: number): number {
  return cells.length === 0 ? 1 : Math.ceil(cells.length / width);
}

function cellsOf(story: Story, { base, iterations }: Table): readonly string[] {
  const place = { base, iteration: iterations.get(story.id) };
  return COLUMNS.map(({ cell }) => cell(story, place));
}

function filled(cells: readonly string[], length: number): readonly string[] {
  return [...cells, ...Array.from({ length: length - cells.length }, () => '')];
}

/** How many columns the comments or tasks take: as many as the story has that has most, where that is not too many. */
async function columns(tx: Tx, table: 'notes' | 'tasks', projectId: number): Promise<number> {
  return Math.min(await mostInStory(tx, table, projectId), MOST_COLUMNS);
}

/** Plans with the little of every story that planning needs. */
async function iterationsOf(tx: Tx, project: ProjectRow, now: number): Promise<Table['iterations']> {
  const rows = await planningRows(tx, project.id);
  const { done, current, backlog } = projectPlan(project, rows, await overridesOfProject(tx, project.id), now);
  const iterations = new Map<number, IterationSlot>();
  for (const iteration of [...done, current, ...backlog]) {
    for (const { id } of iteration.stories) iterations.set(id, iteration);
  }
  return iterations;
}
