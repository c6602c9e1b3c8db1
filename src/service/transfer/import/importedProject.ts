import { messageOf } from '../../../core/errors.ts';
import type { NewProject, Project } from '../../../core/story/project.ts';
import { Refusal, UsageError } from '../../ground/errors.ts';
import type { Tx } from '../../store/database.ts';
import { projectOfSource, rememberSource, storiesOfSources } from '../../store/imports.ts';
import { setOverride } from '../../store/projects/projectParts.ts';
import {
  addProject,
  lockProject,
  type ProjectRow,
  type ProjectSettings,
  projectById,
  renumberProject,
} from '../../store/projects/projects.ts';
import { setWebHook } from '../../store/projects/webHook.ts';
import { projectSettings } from '../../useCases/projects.ts';
import { readWebHookUrl } from '../../webHooks/receiverRules.ts';
import type { ProjectExtras } from '../xml/exportXml.ts';
import type { Remarks } from './remarks.ts';

interface ProjectWishes {
  /** Into this one. */
  readonly projectId?: number;
  /** Into a new one of this name, or the one that was made of it before. */
  readonly name?: string;
  /** What the file says of its project. */
  readonly facts: Project | undefined;
  /** Some of the stories of that. */
  readonly stories: readonly KnownStory[];
  readonly keepsIds: boolean;
  readonly now: number;
  readonly remarks: Remarks;
}

export interface ImportedProject {
  readonly row: ProjectRow;
  readonly isNew: boolean;
}

/** The project that a file goes into: the one named, the one that the same file went into before, or a new one. */
export async function importedProject(tx: Tx, wishes: ProjectWishes): Promise<ImportedProject> {
  const { projectId, facts } = wishes;
  if (projectId !== undefined) {
    const row = await lockProject(tx, projectId);
    if (!row) throw new UsageError(`No project has the ID ${projectId}.`);
    return { row, isNew: false };
  }
  const name = wishes.name ?? facts?.name;
  if (name === undefined) {
    throw new UsageError(
      'The file does not name its project. Pass an existing one with --project, or a new one with --name.',
    );
  }
  const source = facts ? sourceOf(facts) : `table ${name}`;
  const before = await projectOfSource(tx, source);
  const known = before === undefined ? undefined : await lockProject(tx, before);
  if (known) return { row: known, isNew: false };
  const renamed = facts && (await projectBefore(tx, facts, wishes.stories));
  const same = renamed === undefined ? undefined : await lockProject(tx, renamed);
  if (same) {
    await rememberSource(tx, same.id, source);
    return { row: same, isNew: false };
  }
  const row = await newProject(tx, name, wishes);
  await rememberSource(tx, row.id, source);
  return { row, isNew: true };
}

async function newProject(tx: Tx, name: string, { facts, keepsIds, now, remarks }: ProjectWishes): Promise<ProjectRow> {
  const made = await addProject(tx, name, facts ? fittingSettings(facts, remarks) : {}, now);
  const wanted = facts?.id ?? 0;
  const isFree = wanted > 0 && wanted < 1_000_000_000 && (await projectById(tx, wanted)) === undefined;
  if (!keepsIds || !isFree) return made;
  return renumberProject(tx, made, wanted);
}

/** The settings of a file's project that this service can keep. */
function fittingSettings(facts: Project, remarks: Remarks): ProjectSettings {
  const { name } = facts;
  let fitting: ProjectSettings = {};
  for (const [setting, value] of Object.entries(settingsOf(facts))) {
    if (value === undefined) continue;
    try {
      fitting = { ...fitting, ...projectSettings({ name: name.trim() === '' ? 'x' : name, [setting]: value }) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      remarks.add({ row: 0, id: '', column: setting, value: String(value), why: error.message });
    }
  }
  return { ...fitting, isPublic: Number(facts.public === true) };
}

function settingsOf(facts: Project): Readonly<Record<Exclude<keyof NewProject, 'name' | 'noOwner'>, unknown>> {
  return {
    iterationLength: facts.iterationLength,
    weekStartDay: facts.weekStartDay,
    pointScale: facts.pointScale.length > 0 ? facts.pointScale : undefined,
    account: facts.account?.trim() || undefined,
    startDate: facts.startDate,
    initialVelocity: facts.initialVelocity,
    velocityScheme: facts.velocityScheme,
    numberOfDoneIterationsToShow: facts.numberOfDoneIterationsToShow,
    enableTasks: facts.enableTasks,
    allowAttachments: facts.allowAttachments,
    useHttps: facts.useHttps,
    bugsAndChoresAreEstimatable: facts.bugsAndChoresAreEstimatable,
    commitMode: facts.commitMode,
  };
}

/** A story by what never changes of it where it came from. */
export interface KnownStory {
  readonly id: string;
  readonly createdAt: number;
}

/** How a file's project is kept in mind: the numbers of several services may be the same. */
function sourceOf({ id, name }: Project): string {
  return `${numberedSource(id)}${name}`;
}

function numberedSource(id: number): string {
  return `v3 project ${id} `;
}

/**
 * The project that a file's project of this number went into before, under whatever name: one that has a story of the file, by
 * its number and the moment at which it was made. The number alone may be that of another service's project.
 */
async function projectBefore(tx: Tx, { id }: Project, stories: readonly KnownStory[]): Promise<number | undefined> {
  if (stories.length === 0) return undefined;
  const externalIds = stories.map((story) => story.id);
  const rows = await storiesOfSources(tx, numberedSource(id), externalIds);
  const made = new Map(stories.map((story) => [story.id, story.createdAt]));
  return rows.find(({ externalId, createdAt }) => made.get(externalId) === createdAt)?.projectId;
}

interface Wishes {
  readonly takesWebHook?: boolean;
  readonly now: number;
  readonly remarks: Remarks;
}

/** Gives a new project what a file has beside the API's words. Nobody is told twice of activity only because it was taken in elsewhere. */
export async function addExtras(
  tx: Tx,
  projectId: number,
  { overrides, webHookUrl }: ProjectExtras,
  { takesWebHook = false, now, remarks }: Wishes,
): Promise<void> {
  for (const override of overrides) await setOverride(tx, projectId, override);
  if (webHookUrl === undefined) return;
  const remark = (why: string): void => {
    const value = URL.parse(webHookUrl)?.origin ?? '';
    remarks.add({ row: 0, id: '', column: 'web_hook_url', value, why });
  };
  if (!takesWebHook) return remark('The activity is not posted. Pass --web-hook to post it there.');
  try {
    await setWebHook(tx, projectId, { url: readWebHookUrl(webHookUrl) }, now);
  } catch (error) {
    remark(messageOf(error));
  }
}
