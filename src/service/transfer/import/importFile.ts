import { stat } from 'node:fs/promises';
import type { AttachmentFiles } from '../../attachments/attachmentFiles.ts';
import { FolderPairing } from '../../attachments/folderPairing.ts';
import { isStoreUnavailable } from '../../ground/errors.ts';
import type { Database, Tx } from '../../store/database.ts';
import type { UserRow } from '../../store/people/users.ts';
import { type IntegrationRow, integrationsOfProject } from '../../store/projects/projectParts.ts';
import { addHiddenProject, type ProjectRow } from '../../store/projects/projects.ts';
import { changeImport } from '../../store/stagedImports.ts';
import { labelIdsOfProject } from '../../store/stories/labels.ts';
import { readCsv } from '../csv/readCsv.ts';
import { readXmlProject, readXmlStories, type XmlProject } from '../projectXml.ts';
import { AttachedFiles } from './attachedFiles.ts';
import {
  addExtras,
  addIntegrations,
  type Destination,
  destinationOf,
  hiddenNewProject,
  Tickets,
} from './importedProject.ts';
import { type FileFormat, formatOf } from './importedStory.ts';
import type { ImportReport } from './importReport.ts';
import { LastStep } from './lastStep.ts';
import { People, userNamed } from './people.ts';
import { Remarks } from './remarks.ts';
import { Staging } from './staging.ts';
import { StoryWriter } from './storyWriter.ts';

export interface ImportWishes {
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
  /** Of someone who imports over the API. */
  readonly caller?: ImportCaller;
}

/** What differs where not an administrator imports, but a user. */
export interface ImportCaller {
  readonly user: UserRow;
  /** By which the caller asks how far it is. */
  readonly importId?: number;
  /** Throws where the caller may not do this any more, inside the last step. */
  readonly authorize: (tx: Tx) => Promise<void>;
  /** Whether someone with this address may become a member. */
  readonly admits: (email: string) => Promise<boolean>;
  /** Throws when the caller has gone. */
  readonly requireGoOn: () => void;
}

/** Where stories go, and the files that are attached to them. */
interface ImportTarget {
  readonly database: Database;
  readonly files: AttachmentFiles;
}

/**
 * Takes a file's stories into a project, all or nothing, some at a time, so that others write in between: what was written is seen with the
 * last step, and removed when that is not reached. Throws when the file cannot be read at all.
 */
export async function importFile(
  { database, files: place }: ImportTarget,
  wishes: ImportWishes,
): Promise<ImportReport> {
  const format = wishes.format ?? (await formatOf(wishes.path));
  const told = format === 'xml' ? await readXmlProject(wishes.path) : undefined;
  if (wishes.attachments !== undefined) await new FolderPairing(place, database).requireOwn();
  const remarks = new Remarks();
  const files = await AttachedFiles.from(wishes.attachments, place, wishes.isTrial, remarks);
  try {
    const report = await importStaged(database, wishes, { format, told, files, remarks });
    await files.removeUnused(false);
    return report;
  } catch (error) {
    // Of a commit that was not heard of, the files may be attached: then they are swept if they are not.
    if (!isStoreUnavailable(error)) await files.removeUnused(true);
    throw error;
  }
}

interface Source {
  readonly format: FileFormat;
  readonly told: XmlProject | undefined;
  readonly files: AttachedFiles;
  readonly remarks: Remarks;
}

/** Takes everything back that was done only to see what it would do. */
class Trial<T> extends Error {
  readonly result: T;

  constructor(result: T) {
    super('This was a trial.');
    this.result = result;
  }
}

async function importStaged(database: Database, wishes: ImportWishes, source: Source): Promise<ImportReport> {
  const { caller } = wishes;
  const staging = await Staging.begin(database, {
    ...(caller?.importId !== undefined && { id: caller.importId }),
    ...(caller && { userId: caller.user.id }),
  });
  try {
    const step = await staged(database, staging, wishes, source);
    const report = await written(database, wishes.isTrial, (tx) => step.run(tx));
    // What is left of a trial, or of what is done, is nothing that anyone sees; what keeps it from being removed is for the sweep.
    await (wishes.isTrial ? staging.discard() : staging.tidy()).catch(() => undefined);
    return report;
  } catch (error) {
    if (!isStoreUnavailable(error)) await staging.discard().catch(() => undefined);
    throw error;
  }
}

/** What work gives that is taken back on a trial. */
async function written<T>(database: Database, isTrial: boolean, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await database.write(async (tx) => {
      const result = await work(tx);
      if (isTrial) throw new Trial(result);
      return result;
    });
  } catch (error) {
    if (error instanceof Trial) return error.result as T;
    throw error;
  }
}

/** Reads the file, and writes what is new of it where nobody sees it. Gives the step that is left. */
async function staged(
  database: Database,
  staging: Staging,
  wishes: ImportWishes,
  { format, told, files, remarks }: Source,
): Promise<LastStep> {
  const { isTrial, now, keepsIds, caller } = wishes;
  const facts = told?.project;
  const destination = await database.read((tx) =>
    destinationOf(tx, { ...wishes, facts, stories: told?.stories ?? [], isAlwaysNew: caller !== undefined }),
  );
  const isThere = destination.row !== undefined;
  const author = caller?.user ?? (await ownerOf(database, wishes));
  const putBack = remarks.tally();
  const hidden = await written(database, isTrial, (tx) => {
    putBack();
    return beginHidden(tx, staging, { destination, told, remarks, wishes, countsApart: database.locksRows });
  });
  const people = new People({
    ...{ database, now, isTrial, importId: staging.id, owner: author, mayAdd: wishes.addsPeople },
    projectId: destination.row?.id,
    tellsNamesakes: caller === undefined,
    ...(caller && { admits: caller.admits }),
  });
  await people.mean(wishes.persons ?? new Map());
  if (!isThere && facts) await people.join(facts.memberships);
  const needs = {
    ...{ database, staging, people, files, remarks, now, isTrial, keepsIds, isThere },
    takesFilesOnly: caller !== undefined,
    project: destination.row ?? hidden.project,
    hiddenProject: isThere ? staging.hiddenProject : hidden.project.id,
    hasScale: isThere || facts !== undefined,
    tickets: new Tickets(hidden.integrations, hidden.ours),
    labels: hidden.labels,
    requireGoOn: caller?.requireGoOn ?? (() => undefined),
  };
  const writer = new StoryWriter(needs);
  await readStories(wishes, format, remarks, writer, staging);
  await writer.finish();
  const { name, source } = destination;
  const authorize = caller && { authorize: caller.authorize };
  return new LastStep({ ...needs, writer, name, source, author, isPublic: facts?.public === true, ...authorize });
}

interface Beginning {
  readonly destination: Destination;
  readonly told: XmlProject | undefined;
  readonly remarks: Remarks;
  readonly wishes: ImportWishes;
  readonly countsApart: boolean;
}

interface Hidden {
  readonly project: ProjectRow;
  readonly integrations: readonly IntegrationRow[];
  readonly ours: ReadonlyMap<number, number>;
  readonly labels: Iterable<string>;
}

/** Makes the project that nobody sees: a new one with the settings of the file, or one that holds what another is to get. */
async function beginHidden(
  tx: Tx,
  staging: Staging,
  { destination: { row }, told, remarks, wishes, countsApart }: Beginning,
): Promise<Hidden> {
  const { now, keepsIds } = wishes;
  if (row) {
    const project = await addHiddenProject(tx, staging.hiddenProject, now);
    await changeImport(tx, staging.id, { projectId: project.id });
    const labels = (await labelIdsOfProject(tx, row.id)).keys();
    return { project, labels, integrations: await integrationsOfProject(tx, row.id), ours: new Map() };
  }
  const facts = told?.project;
  const hint = wishes.caller ? 'Set it in the project settings.' : 'Pass --web-hook to post it there.';
  const project = await hiddenNewProject(tx, { facts, keepsIds, countsApart, now, remarks });
  await changeImport(tx, staging.id, { projectId: project.id });
  const ours = await addIntegrations(tx, project.id, facts?.integrations ?? [], remarks);
  if (told) await addExtras(tx, project.id, told.extras, { ...wishes, hint, remarks });
  return { project, integrations: await integrationsOfProject(tx, project.id), ours, labels: [] };
}

async function readStories(
  { path, onProgress }: ImportWishes,
  format: FileFormat,
  remarks: Remarks,
  writer: StoryWriter,
  staging: Staging,
): Promise<void> {
  const { size } = await stat(path);
  const onBytes = (bytes: number): void => {
    const part = size === 0 ? 1 : Math.min(1, bytes / size);
    staging.noteProgress(part);
    onProgress(part);
  };
  const file = { path, remarks, onBytes };
  if (format === 'xml') return readXmlStories(file, (story) => writer.take(story));
  for await (const story of readCsv(file)) await writer.take(story);
}

async function ownerOf(database: Database, { owner }: ImportWishes): Promise<UserRow | undefined> {
  return owner === undefined ? undefined : database.read((tx) => userNamed(tx, owner));
}
