import { messageOf } from '../../../core/errors.ts';
import { MAX_INTEGRATIONS_OF_PROJECT, MAX_PROJECT_NAME, MAX_STRENGTHS_OF_PROJECT } from '../../../core/limits.ts';
import type { Integration, NewProject, Project } from '../../../core/story/project.ts';
import type { Ticket } from '../../../core/story/story.ts';
import { type Objection, Refusal, UsageError } from '../../ground/errors.ts';
import type { Tx } from '../../store/database.ts';
import { projectOfSource, raiseNumbers, storiesOfSources } from '../../store/imports.ts';
import { addIntegration, type IntegrationRow, setOverride, setTicketUrl } from '../../store/projects/projectParts.ts';
import {
  addProject,
  type ProjectRow,
  type ProjectSettings,
  projectById,
  renumberProject,
} from '../../store/projects/projects.ts';
import { setWebHook } from '../../store/projects/webHook.ts';
import { integrationObjections, isTicketUrl } from '../../useCases/integrations.ts';
import { projectSettings } from '../../useCases/projectRules.ts';
import { type Linked, UNLINKED } from '../../useCases/storyFields.ts';
import { readWebHookUrl } from '../../webHooks/receiverRules.ts';
import type { KnownStory, ProjectExtras } from '../projectXml.ts';
import type { Remarking, Remarks } from './remarks.ts';

interface ProjectWishes {
  /** Into this one. */
  readonly projectId?: number;
  /** Into a new one of this name, or the one that was made of it before. */
  readonly name?: string;
  /** What the file says of its project. */
  readonly facts: Project | undefined;
  /** Some of the stories of that. */
  readonly stories: readonly KnownStory[];
  /** Whether it always goes into a new one: what a file says may be anything. */
  readonly isAlwaysNew?: boolean;
}

/** Where a file goes. */
export interface Destination {
  /** The project that is there; undefined of a new one. */
  readonly row: ProjectRow | undefined;
  /** Of a new one. */
  readonly name: string;
  /** By what the project is known again, when another file of it comes. */
  readonly source: string | undefined;
}

/** The project that a file goes into: the one named, the one that the same file went into before, or a new one. */
export async function destinationOf(tx: Tx, wishes: ProjectWishes): Promise<Destination> {
  const { projectId, facts } = wishes;
  if (projectId !== undefined) {
    const row = await projectById(tx, projectId);
    if (!row) throw new UsageError(`No project has the ID ${projectId}.`);
    return { row, name: row.name, source: undefined };
  }
  const name = wishes.name ?? facts?.name.trim().slice(0, MAX_PROJECT_NAME);
  if (name === undefined || name.trim() === '') {
    throw new UsageError(
      wishes.isAlwaysNew
        ? 'The file does not name its project. Pass a name for it.'
        : 'The file does not name its project. Pass an existing one with --project, or a new one with --name.',
    );
  }
  if (wishes.isAlwaysNew) return { row: undefined, name, source: undefined };
  const source = facts ? sourceOf(facts) : `table ${name}`;
  const before = await projectOfSource(tx, source);
  const known = before === undefined ? undefined : await projectById(tx, before);
  if (known) return { row: known, name, source: undefined };
  const renamed = facts && (await projectBefore(tx, facts, wishes.stories));
  const same = renamed === undefined ? undefined : await projectById(tx, renamed);
  return { row: same, name, source };
}

interface NewProjectWishes {
  readonly facts: Project | undefined;
  readonly keepsIds: boolean;
  readonly countsApart: boolean;
  readonly now: number;
  readonly remarks: Remarks;
}

/** A project that nobody sees, without a name and members. */
export async function hiddenNewProject(tx: Tx, wishes: NewProjectWishes): Promise<ProjectRow> {
  const { facts, keepsIds, countsApart, now, remarks } = wishes;
  const made = await addProject(tx, '', facts ? { ...fittingSettings(facts, remarks), isPublic: 0 } : {}, now);
  const wanted = facts?.id ?? 0;
  const isFree = wanted > 0 && wanted < 1_000_000_000 && (await projectById(tx, wanted)) === undefined;
  if (!keepsIds || !isFree) return made;
  await raiseNumbers(tx, 'projects', wanted, countsApart);
  return renumberProject(tx, made, wanted);
}

/** The settings of a file's project that this service can keep. */
function fittingSettings(facts: Project, remarks: Remarks): ProjectSettings {
  const remark = (column: string, value: string, why: string): void =>
    remarks.add({ row: 0, id: '', column, value, why });
  if (facts.name.trim().length > MAX_PROJECT_NAME)
    remark('name', facts.name, `It was cut after ${MAX_PROJECT_NAME} characters.`);
  let fitting: ProjectSettings = {};
  for (const [setting, value] of Object.entries(settingsOf(facts))) {
    if (value === undefined) continue;
    try {
      fitting = { ...fitting, ...projectSettings({ name: 'x', [setting]: value }) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      remark(setting, String(value), error.message);
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

/** How a file's project is kept in mind: the numbers of several services may be the same. */
function sourceOf({ id, name }: Project): string {
  return `${numberedSource(id)}${name.slice(0, MAX_PROJECT_NAME)}`;
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
  /** How it is. */
  readonly hint: string;
  readonly now: number;
  readonly remarks: Remarks;
}

/** Gives a new project what a file has beside the API's words. Nobody is told twice of activity only because it was taken in elsewhere. */
export async function addExtras(
  tx: Tx,
  projectId: number,
  { overrides, webHookUrl }: ProjectExtras,
  { takesWebHook = false, hint, now, remarks }: Wishes,
): Promise<void> {
  const strengths = [...new Map(overrides.map((override) => [override.number, override])).values()];
  for (const override of strengths.slice(0, MAX_STRENGTHS_OF_PROJECT)) await setOverride(tx, projectId, override);
  const surplus = strengths.length - MAX_STRENGTHS_OF_PROJECT;
  if (surplus > 0) {
    const why = `At most ${MAX_STRENGTHS_OF_PROJECT} iterations can have a strength of their own. They were left out.`;
    remarks.add({ row: 0, id: '', column: 'iteration_overrides', value: `${surplus} of them`, why });
  }
  if (webHookUrl === undefined) return;
  const remark = (why: string): void => {
    const value = URL.parse(webHookUrl)?.origin ?? '';
    remarks.add({ row: 0, id: '', column: 'web_hook_url', value, why });
  };
  if (!takesWebHook) return remark(`The activity is not posted. ${hint}`);
  try {
    await setWebHook(tx, projectId, { url: readWebHookUrl(webHookUrl) }, now);
  } catch (error) {
    remark(messageOf(error));
  }
}

/** Tickets of a file, in the integrations of the project. */
export class Tickets {
  private readonly ours: ReadonlyMap<number, number>;
  private readonly integrations: readonly IntegrationRow[];
  /** What comes before the id in tickets' addresses, by integrations that did not know it. */
  private readonly learned = new Map<number, string>();

  /** `ours` are the ids here of integrations that the file has. */
  constructor(integrations: readonly IntegrationRow[], ours: ReadonlyMap<number, number>) {
    this.integrations = integrations;
    this.ours = ours;
  }

  /** How a story is linked; remarks a ticket of which the project has no integration. */
  of(ticket: Ticket | undefined, remark: Remarking): Linked {
    if (!ticket) return UNLINKED;
    const { externalId, integrationId = 0 } = ticket;
    const wanted = this.ours.get(integrationId);
    const field = `${ticket.prefix}_id`;
    const found =
      this.integrations.find(({ id }) => id === wanted) ??
      this.integrations.find(({ fieldName }) => fieldName === field);
    if (!found) {
      remark(field, externalId, 'The project has no integration for this ticket. The link was left out.');
      return UNLINKED;
    }
    this.learnAddress(found, ticket);
    return { integrationId: found.id, externalId };
  }

  /** Notes what was learned of tickets' addresses. */
  async keepAddresses(tx: Tx): Promise<void> {
    for (const [id, url] of this.learned) await setTicketUrl(tx, id, url);
  }

  /** By the first that has one. */
  private learnAddress({ id, ticketUrl }: IntegrationRow, { url, externalId }: Ticket): void {
    const end = encodeURIComponent(externalId);
    if (ticketUrl !== null || this.learned.has(id) || !url?.endsWith(end) || !/^https?:\/\/./.test(url)) return;
    this.learned.set(id, url.slice(0, -end.length));
  }
}

/**
 * Gives a new project the integrations that a file says it has, as far as an owner could add them, and tells their ids here by those there.
 */
export async function addIntegrations(
  tx: Tx,
  projectId: number,
  integrations: readonly Integration[],
  remarks: Remarks,
): Promise<ReadonlyMap<number, number>> {
  const ours = new Map<number, number>();
  for (const { id, baseUrl = '', ...told } of integrations) {
    const integration = { ...told, name: told.name.trim() === '' ? told.type : told.name };
    const [objection] = ours.size < MAX_INTEGRATIONS_OF_PROJECT ? integrationObjections(integration) : [TOO_MANY];
    if (objection) {
      const why = `${objection.sentence} The integration was left out.`;
      remarks.add({ row: 0, id: '', column: objection.field, value: integration.name, why });
      continue;
    }
    const { type, name, fieldName, fieldLabel = name, active } = integration;
    const ticketUrl = isTicketUrl(baseUrl) ? baseUrl : null;
    const row = { projectId, type, name, fieldName, fieldLabel, ticketUrl, active: Number(active) };
    ours.set(id, await addIntegration(tx, row));
  }
  return ours;
}

const TOO_MANY: Objection = {
  field: 'integrations',
  sentence: `A project has at most ${MAX_INTEGRATIONS_OF_PROJECT} integrations.`,
};
