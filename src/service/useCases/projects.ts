import type { PlannedStory } from '../../core/backlog/plannedIteration.ts';
import type { Plan } from '../../core/backlog/planning.ts';
import { fieldNames } from '../../core/fieldNames.ts';
import { MAX_STRENGTHS_OF_PROJECT } from '../../core/limits.ts';
import type { NewProject } from '../../core/story/project.ts';
import type { IterationStrength, PlanChange, ProjectEdit, ProjectSettings } from '../../core/story/projectSettings.ts';
import { STRENGTHS_ELEMENT, WEB_HOOK_SECRET_ELEMENT } from '../../v3/assumptions.ts';
import { type Change, requireRole } from '../auth/projectAccess.ts';
import { projectPlan } from '../cache/projectViews.ts';
import { storedProject } from '../cache/wholeProject.ts';
import { type Objection, unprocessable } from '../ground/errors.ts';
import type { Tx } from '../store/database.ts';
import { keptNames } from '../store/imports.ts';
import { discardQueue } from '../store/jobs/queues.ts';
import type { UserRow } from '../store/people/users.ts';
import { addMember, roleIn, withoutProject } from '../store/projects/memberships.ts';
import {
  type IterationOverride,
  overridesOfProject,
  partsOfProjects,
  setOverride,
} from '../store/projects/projectParts.ts';
import { addProject, deleteProject, type ProjectRow, scaleOf, updateProject } from '../store/projects/projects.ts';
import { ownedStories } from '../store/projects/projectUse.ts';
import { hookSecret, setWebHook } from '../store/projects/webHook.ts';
import { dropSecret, hasSecret } from '../store/secrets.ts';
import { storedNamesOfProject } from '../store/stories/attachments.ts';
import { plannedRows, storyRowsOf } from '../store/stories/storyRows.ts';
import { settingsIntegrations } from './integrations.ts';
import { projectObjections, projectSettings, storedSettings } from './projectRules.ts';
import { record } from './recordActivity.ts';

/** Makes a project; the user owns it unless the request says `no_owner` (api-v3.md, Endpoints, rule 3). */
export async function createProject(tx: Tx, user: UserRow, wanted: NewProject, now: number): Promise<ProjectRow> {
  const project = await addProject(tx, wanted.name.trim(), projectSettings(wanted), now);
  if (wanted.noOwner !== true) await addMember(tx, project.id, user.id, 'Owner');
  return project;
}

/** Removes a project with all that is in it, and gives the stored names of its files, to be removed once that is certain. */
export async function removeProject(tx: Tx, { id }: Pick<ProjectRow, 'id'>): Promise<readonly string[]> {
  const files = await storedNamesOfProject(tx, id);
  await discardQueue(tx, { kind: 'web_hook', key: String(id) });
  await dropSecret(tx, hookSecret(id));
  await deleteProject(tx, id);
  return files;
}

/** Stories that a dry run names. */
const MOST_NAMED = 100;
const MOST_KEPT_NAMES = 100;
const MOST_STRENGTH = 10;
const MAX_ITERATION = 100_000;
const SHORTEST_SECRET = 16;
const LONGEST_SECRET = 500;

/** What is asked of a project's settings; where its web hook goes was looked at before. */
export interface SettingsEdit extends Omit<ProjectEdit, 'webHookUrl'> {
  /** Null for nowhere; with what is wrong with it instead, where something is. */
  readonly webHook?: { readonly url: string | null } | { readonly objection: Objection };
}

/** All that a project is set to, as the user is told it. */
export async function settingsOf(tx: Tx, project: ProjectRow, user: UserRow): Promise<ProjectSettings> {
  const parts = (await partsOfProjects(tx, [project.id]))(project.id);
  const {
    labels: _labels,
    memberships: _members,
    integrations: _integrations,
    ...told
  } = storedProject(project, parts);
  const role = (await roleIn(tx, project.id, user.id)) ?? '';
  const owned = await ownedStories(tx, project.id);
  return {
    ...told,
    role,
    ...(role === 'Owner' && {
      webHookUrl: project.webHookUrl ?? '',
      isWebHookSigned: await hasSecret(tx, hookSecret(project.id)),
    }),
    strengths: parts.overrides.map(strengthOf),
    members: parts.memberships.map((each) => ({ ...withoutProject(each), ownedStories: owned.get(each.id) ?? 0 })),
    keptNames: role === 'Owner' ? await keptNames(tx, project.id, MOST_KEPT_NAMES) : [],
    integrations: await settingsIntegrations(tx, project.id),
  };
}

function strengthOf({ number, teamStrength, weeks }: IterationOverride): IterationStrength {
  return { number, teamStrength, ...(weeks !== null && { length: weeks }) };
}

/** Changes what is said, all or nothing. Throws `Refusal` 422 with all that is wrong, each with its element. */
export async function editProject(change: Change, edit: SettingsEdit): Promise<ProjectRow> {
  const { tx, project, now } = change;
  const overrides = await overridesOfProject(tx, project.id);
  refuseWrong(edit, overrides);
  const columns = { ...storedSettings(edit), name: edit.name?.trim() ?? project.name };
  await updateProject(tx, project.id, columns);
  for (const strength of edit.strengths ?? []) await setOverride(tx, project.id, overrideOf(strength));
  const after = { ...project, ...columns };
  const changed = changedFields(project, after, edit, overrides);
  if (changed.length > 0) await record({ ...change, project: after }, 'project_update', `changed ${listed(changed)}`);
  await changeWebHook(tx, project, edit, now);
  return { ...after, ...(edit.webHook && 'url' in edit.webHook && { webHookUrl: edit.webHook.url }) };
}

async function changeWebHook(tx: Tx, project: ProjectRow, edit: SettingsEdit, now: number): Promise<void> {
  const { webHook, webHookSecret: secret } = edit;
  const url = webHook && 'url' in webHook ? webHook.url : undefined;
  if (url === undefined && secret === undefined) return;
  const change = { ...(url !== undefined && { url }), ...(secret !== undefined && { secret: secret || null }) };
  await setWebHook(tx, project.id, change, now);
}

/** What would become of the plan; changes nothing. Throws as `editProject` does, and `Refusal` 403 for who is no owner. */
export async function planAfter(
  tx: Tx,
  project: ProjectRow,
  user: UserRow,
  edit: SettingsEdit,
  now: number,
): Promise<PlanChange> {
  await requireRole(tx, project.id, user, 'Owner');
  const overrides = await overridesOfProject(tx, project.id);
  refuseWrong(edit, overrides);
  const rows = (await plannedRows(tx, [project.id]))(project.id);
  const before = projectPlan(project, rows, overrides, now);
  const replaced = (edit.strengths ?? []).map(overrideOf);
  const kept = overrides.filter(({ number }) => !replaced.some((one) => one.number === number));
  const after = projectPlan({ ...project, ...storedSettings(edit) }, rows, [...kept, ...replaced], now);
  const open = rows.filter(({ state }) => state !== 'accepted');
  const moved = movedStories(before, after, new Set(open.map(({ id }) => id)));
  const first = moved.slice(0, MOST_NAMED);
  const ids = first.map(({ id }) => id);
  const named = await storyRowsOf(tx, project.id, ids);
  const names = new Map(named.map(({ id, name }) => [id, name]));
  return {
    velocity: after.velocity,
    formerVelocity: before.velocity,
    count: moved.length,
    stories: first.map((each) => ({ ...each, name: names.get(each.id) ?? '' })),
    offScaleCount: open.filter(({ estimate }) => leavesScale(estimate, scaleOf(project), edit.pointScale)).length,
  };
}

function leavesScale(estimate: number | null, before: readonly number[], after: readonly number[] = before): boolean {
  return estimate !== null && before.includes(estimate) && !after.includes(estimate);
}

/** Those of these whose iteration begins on another day, in the order of the new plan. */
function movedStories(before: Plan<PlannedStory>, after: Plan<PlannedStory>, open: ReadonlySet<number>) {
  const former = new Map<number, { readonly number: number; readonly start: number }>();
  for (const iteration of iterationsOf(before)) for (const { id } of iteration.stories) former.set(id, iteration);
  return iterationsOf(after).flatMap(({ number, start, stories }) =>
    stories.flatMap(({ id }) => {
      const from = former.get(id);
      return from && from.start !== start && open.has(id) ? [{ id, from: from.number, to: number }] : [];
    }),
  );
}

/** Those to come first: they are what a person looks for. */
function iterationsOf({ done, current, backlog }: Plan<PlannedStory>) {
  return [current, ...backlog, ...done];
}

function overrideOf({ number, teamStrength, length }: IterationStrength): IterationOverride {
  return { number, teamStrength, weeks: length ?? null };
}

function refuseWrong(edit: SettingsEdit, overrides: readonly IterationOverride[]): void {
  const { pointScale, webHook, webHookSecret: secret = '' } = edit;
  const objections = [...projectObjections(edit), ...strengthObjections(edit.strengths ?? [], overrides)];
  if (pointScale?.length === 0) {
    objections.push({ field: 'point_scale', sentence: 'A point scale has at least one number.' });
  }
  if (webHook && 'objection' in webHook) objections.push(webHook.objection);
  if (secret !== '' && (secret.length < SHORTEST_SECRET || secret.length > LONGEST_SECRET)) {
    const sentence = `The secret of a web hook has from ${SHORTEST_SECRET} to ${LONGEST_SECRET} characters.`;
    objections.push({ field: WEB_HOOK_SECRET_ELEMENT, sentence });
  }
  if (objections.length > 0) throw unprocessable(objections);
}

function strengthObjections(
  strengths: readonly IterationStrength[],
  overrides: readonly IterationOverride[],
): readonly Objection[] {
  const numbers = new Set([...overrides, ...strengths].map(({ number }) => number));
  const checks: readonly (readonly [isWrong: boolean, sentence: string])[] = [
    [
      strengths.some(({ number }) => !isWhole(number, 1, MAX_ITERATION)),
      'The number of an iteration is a whole number of at least 1.',
    ],
    [
      strengths.some((each) => !(each.teamStrength >= 0 && each.teamStrength <= MOST_STRENGTH)),
      `A team strength is from 0 to ${MOST_STRENGTH}; 1 is the full team.`,
    ],
    [strengths.some(({ length = 1 }) => !isWhole(length, 1, 4)), 'An iteration lasts from 1 to 4 weeks.'],
    [
      numbers.size > MAX_STRENGTHS_OF_PROJECT,
      `At most ${MAX_STRENGTHS_OF_PROJECT} iterations can have a strength of their own.`,
    ],
  ];
  return checks.filter(([isWrong]) => isWrong).map(([, sentence]) => ({ field: STRENGTHS_ELEMENT, sentence }));
}

function isWhole(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}

/** What each column is called in the activity. */
const TOLD = {
  name: 'the name',
  account: 'the account',
  pointScale: 'the point scale',
  iterationLength: 'the iteration length',
  weekStartDay: 'the first day of the week',
  startDate: 'the start date',
  averagedIterations: 'the velocity scheme',
  initialVelocity: 'the initial velocity',
  doneIterationsToShow: 'how many done iterations are shown',
  bugsAndChoresAreEstimatable: 'whether bugs and chores are estimated',
  enableTasks: 'whether stories have tasks',
  allowAttachments: 'whether stories have attachments',
  useHttps: 'whether HTTPS is required',
  commitMode: 'the commit mode',
} as const satisfies Partial<Record<keyof ProjectRow, string>>;

function changedFields(
  before: ProjectRow,
  after: ProjectRow,
  { webHook, webHookSecret, strengths = [] }: SettingsEdit,
  overrides: readonly IterationOverride[],
): readonly string[] {
  const told: string[] = fieldNames(TOLD)
    .filter((column) => before[column] !== after[column])
    .map((column) => TOLD[column]);
  const isNew = (each: IterationStrength) => {
    const known = overrides.find(({ number }) => number === each.number) ?? { teamStrength: 1, weeks: null };
    return known.teamStrength !== each.teamStrength || known.weeks !== (each.length ?? null);
  };
  const changed = strengths.filter(isNew).map(({ number }) => number);
  if (changed.length > 0) told.push(`the team strength of iteration ${changed.join(', ')}`);
  const isElsewhere = webHook !== undefined && 'url' in webHook && webHook.url !== before.webHookUrl;
  if (isElsewhere || webHookSecret !== undefined) told.push('the web hook');
  return told;
}

function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}
