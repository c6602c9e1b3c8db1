import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AttachmentFiles } from '../../attachments/attachmentFiles.ts';
import { FolderPairing } from '../../attachments/folderPairing.ts';
import { isStoreUnavailable } from '../../ground/errors.ts';
import type { Tx } from '../../store/database.ts';
import { raiseNumbers } from '../../store/imports.ts';
import type { OpenedStore } from '../../store/openStore.ts';
import type { UserRow } from '../../store/people/users.ts';
import { addMember, membershipsOfProject } from '../../store/projects/memberships.ts';
import { updateProject } from '../../store/projects/projects.ts';
import { recordActivity } from '../../useCases/recordActivity.ts';
import { readCsv } from '../csv/readCsv.ts';
import { readXmlProject, readXmlStories, type XmlProject } from '../xml/readXml.ts';
import { AttachedFiles } from './attachedFiles.ts';
import { addExtras, type ImportedProject, importedProject } from './importedProject.ts';
import { type FileFormat, formatOf } from './importedStory.ts';
import type { ImportReport } from './importReport.ts';
import { People, userNamed } from './people.ts';
import { Remarks } from './remarks.ts';
import { StoryWriter } from './storyWriter.ts';
import { Tickets } from './tickets.ts';

interface ImportWishes {
  readonly path: string;
  readonly format?: FileFormat;
  readonly projectId?: number;
  readonly name?: string;
  /** Address of the user who owns a new project. */
  readonly owner?: string;
  readonly addsPeople: boolean;
  /** Addresses of the users whom names in the file refer to. */
  readonly persons?: ReadonlyMap<string, string>;
  readonly keepsIds: boolean;
  /** Whether a new project's activity goes to where the file's went. */
  readonly takesWebHook?: boolean;
  /** Folder of the files that are attached to the stories. */
  readonly attachments?: string;
  /** Whether nothing is changed, and only the report made. */
  readonly isTrial: boolean;
  readonly now: number;
  /** Told the part of the file that was read, from 0 to 1. */
  readonly onProgress: (part: number) => void;
}

/** Takes a file's stories into a project, all or nothing. Throws when the file cannot be read at all. */
export async function importFile({ database, folder }: OpenedStore, wishes: ImportWishes): Promise<ImportReport> {
  const format = wishes.format ?? (await formatOf(wishes.path));
  const told = format === 'xml' ? await readXmlProject(wishes.path) : undefined;
  const place = join(folder, 'attachments');
  if (wishes.attachments !== undefined)
    await new FolderPairing(await AttachmentFiles.open(place), database).requireOwn();
  const files = await AttachedFiles.from(wishes.attachments, place, wishes.isTrial);
  try {
    const report = await database.write(async (tx) => {
      const made = await importInto(tx, wishes, { format, told, files, countsApart: database.locksRows });
      if (wishes.isTrial) throw new Trial(made);
      return made;
    });
    await files.removeUnused(false);
    return report;
  } catch (error) {
    if (error instanceof Trial) return error.report;
    // Of a commit that was not heard of, the files may be attached: then they are swept if they are not.
    if (!isStoreUnavailable(error)) await files.removeUnused(true);
    throw error;
  }
}

interface Source {
  readonly format: FileFormat;
  readonly told: XmlProject | undefined;
  readonly files: AttachedFiles;
  readonly countsApart: boolean;
}

/** Takes everything back that was done only to see what it would do. */
class Trial extends Error {
  readonly report: ImportReport;

  constructor(report: ImportReport) {
    super('This was a trial.');
    this.report = report;
  }
}

async function importInto(
  tx: Tx,
  wishes: ImportWishes,
  { format, told, files, countsApart }: Source,
): Promise<ImportReport> {
  const { addsPeople: mayAdd, isTrial, now } = wishes;
  const remarks = new Remarks();
  files.forgetUses();
  const facts = told?.project;
  const project = await importedProject(tx, { ...wishes, facts, stories: told?.stories ?? [], remarks });
  const people = new People({ tx, projectId: project.row.id, now, mayAdd });
  const handedOver = await people.mean(wishes.persons ?? new Map());
  const tickets = new Tickets(tx, project.row.id);
  const owner = await ownerOf(tx, project, wishes);
  if (project.isNew && facts) {
    await people.join(facts.memberships);
    await tickets.add(facts.integrations);
  }
  if (project.isNew && told) await addExtras(tx, project.row.id, told.extras, { ...wishes, remarks });
  await tickets.load();
  const hasScale = !project.isNew || facts !== undefined;
  const writer = new StoryWriter({
    ...{ tx, people, tickets, files, remarks, now, hasScale },
    project: project.row,
    keepsIds: wishes.keepsIds,
  });
  for (const id of handedOver) writer.noteChange(id);
  await readStories(wishes, format, remarks, writer);
  await writer.finish();
  await raiseNumbers(tx, countsApart);
  if (!hasScale) await setScale(tx, project, writer);
  await tellOfImport(tx, project, writer, owner, now);
  const members = await membershipsOfProject(tx, project.row.id);
  const { id, name } = project.row;
  return {
    project: { id, name, isNew: project.isNew, hasOwner: members.some(({ role }) => role === 'Owner') },
    isTrial,
    ...writer.counts,
    hasMoved: writer.hasMoved,
    attached: writer.attached,
    people: await people.named(),
    notNamed: people.notNamed,
    handedOver: handedOver.length,
    remarks: remarks.kept.toSorted((one, other) => one.row - other.row),
    remarkCount: remarks.count,
  };
}

async function readStories(
  { path, onProgress }: ImportWishes,
  format: FileFormat,
  remarks: Remarks,
  writer: StoryWriter,
): Promise<void> {
  const { size } = await stat(path);
  const file = { path, remarks, onBytes: (bytes: number) => onProgress(size === 0 ? 1 : bytes / size) };
  if (format === 'xml') return readXmlStories(file, (story) => writer.take(story));
  for await (const story of readCsv(file)) await writer.take(story);
}

async function ownerOf(tx: Tx, { row, isNew }: ImportedProject, wishes: ImportWishes): Promise<UserRow | undefined> {
  if (wishes.owner === undefined) return undefined;
  const user = await userNamed(tx, wishes.owner);
  if (isNew) await addMember(tx, row.id, user.id, 'Owner');
  return user;
}

/** A project of which the file says no settings takes the points that its stories have. */
async function setScale(tx: Tx, { row }: ImportedProject, { points }: StoryWriter): Promise<void> {
  const pointScale = fittingScale(points.seen).join(',');
  const bugsAndChoresAreEstimatable = Number(points.types.has('bug') || points.types.has('chore'));
  await updateProject(tx, row.id, { name: row.name, pointScale, bugsAndChoresAreEstimatable });
}

/** One activity for all: who follows the project looks at it anew. */
async function tellOfImport(
  tx: Tx,
  { row, isNew }: ImportedProject,
  writer: StoryWriter,
  author: UserRow | undefined,
  now: number,
): Promise<void> {
  const { created, updated } = writer.counts;
  if (created + updated + writer.changedIds.length === 0 && !writer.hasMoved) return;
  const name = author?.name ?? 'Import';
  const told = isNew ? [] : writer.changedIds;
  await recordActivity(tx, row, {
    projectId: row.id,
    eventType: 'project_import',
    occurredAt: now,
    author: name,
    authorId: author?.id ?? null,
    description: `${name} imported ${importedText(writer)}`,
    stories: told.map((id) => ({ id, changed: {}, cleared: [] })),
  });
}

function importedText({ counts: { created, updated }, hasMoved }: StoryWriter): string {
  const parts = [created > 0 ? `${created} new` : '', updated > 0 ? `${updated} changed` : ''].filter(
    (part) => part !== '',
  );
  const stories =
    parts.length === 0 ? 'who is who' : `${parts.join(' and ')} ${created + updated === 1 ? 'story' : 'stories'}`;
  if (!hasMoved) return stories;
  return parts.length === 0 ? 'a new order of stories' : `${stories}, in a new order`;
}

/** The scales that teams use, shortest first. */
const SCALES: readonly (readonly number[])[] = [
  [0, 1, 2, 3],
  [0, 1, 2, 4, 8],
  [0, 1, 2, 3, 5, 8],
];

/** The first usual point scale that has all of these points, else one of exactly them and zero. */
function fittingScale(points: ReadonlySet<number>): readonly number[] {
  const all = [...points];
  const usual = SCALES.find((scale) => all.every((each) => scale.includes(each)));
  return usual ?? [...new Set([0, ...all])].sort((one, other) => one - other);
}
