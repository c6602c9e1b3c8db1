import type { NewProject, Project } from '../../../core/project.ts';
import { Refusal } from '../../ground/errors.ts';
import { UsageError } from '../../ground/usageError.ts';
import type { Tx } from '../../store/database.ts';
import { addProject, lockProject, type ProjectRow, type ProjectSettings, projectById } from '../../store/projects/projects.ts';
import { projectSettings } from '../../useCases/projectSettings.ts';
import { type KnownStory, projectBefore, sourceOf } from './projectBefore.ts';
import type { Remarks } from './remarks.ts';

export interface ProjectWishes {
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
    if (!row) throw new UsageError(`There is no project ${projectId}.`);
    return { row, isNew: false };
  }
  const name = wishes.name ?? facts?.name;
  if (name === undefined) {
    throw new UsageError(
      'The file does not say of which project it is. Name one with --project, or a new one with --name.',
    );
  }
  const source = facts ? sourceOf(facts) : `table ${name}`;
  const before = await tx
    .selectFrom('importedProjects')
    .select('projectId')
    .where('source', '=', source)
    .executeTakeFirst();
  const known = before && (await lockProject(tx, before.projectId));
  if (known) return { row: known, isNew: false };
  const renamed = facts && (await projectBefore(tx, facts, wishes.stories));
  const same = renamed === undefined ? undefined : await lockProject(tx, renamed);
  if (same) {
    await tx.insertInto('importedProjects').values({ projectId: same.id, source }).execute();
    return { row: same, isNew: false };
  }
  const row = await newProject(tx, name, wishes);
  await tx.insertInto('importedProjects').values({ projectId: row.id, source }).execute();
  return { row, isNew: true };
}

async function newProject(tx: Tx, name: string, { facts, keepsIds, now, remarks }: ProjectWishes): Promise<ProjectRow> {
  const made = await addProject(tx, name, facts ? fittingSettings(facts, remarks) : {}, now);
  const wanted = facts?.id ?? 0;
  const isFree = wanted > 0 && wanted < 1_000_000_000 && (await projectById(tx, wanted)) === undefined;
  if (!keepsIds || !isFree) return made;
  await tx.updateTable('projects').set({ id: wanted }).where('id', '=', made.id).execute();
  return { ...made, id: wanted };
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
