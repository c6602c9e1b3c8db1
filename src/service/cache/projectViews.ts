import type { PlannedIteration, PlannedStory, PlanningRules } from '../../core/backlog/plannedIteration.ts';
import { type Plan, plan } from '../../core/backlog/planning.ts';
import { isEstimatable } from '../../core/backlog/workflow.ts';
import type { ZonedDate } from '../../core/calendar.ts';
import { MAX_TEXT_OF_LOOK } from '../../core/limits.ts';
import type { Story } from '../../core/story/story.ts';
import { zonedDate } from '../../v3/dates.ts';
import type { ListedIteration } from '../../v3/iteration.ts';
import { newSlice, rest } from '../ground/slices.ts';
import { isValid, LeastRecentlyUsed, type Validity } from '../memory/leastRecentlyUsed.ts';
import { SharedWork } from '../memory/sharedWork.ts';
import type { Database, Tx } from '../store/database.ts';
import type { UserRow } from '../store/people/users.ts';
import { type IterationOverride, overridesOfProject } from '../store/projects/projectParts.ts';
import { type ProjectRow, rulesOf } from '../store/projects/projects.ts';
import { type ProjectStories, type StoryRow, storyRows } from '../store/stories/storyRows.ts';
import { partsOfProject, type StoryParts, storyOf, storyRules } from '../store/stories/wholeStory.ts';
import { HeldStories, type ListedStories, ReadStories } from './listedStories.ts';

/** The rows of a project, in priority order, as of one of its versions. */
interface ProjectRows extends ProjectStories {
  readonly project: ProjectRow;
}

interface Known {
  readonly changes: number;
  /** What the project says about all of its stories, as text. */
  readonly rules: string;
  /** Undefined where the stories hold more than is held at once. */
  readonly byId: ReadonlyMap<number, Stored> | undefined;
}

interface Stored {
  readonly row: StoryRow;
  readonly parts: StoryParts;
  readonly story: Story;
}

const MOST_WHOLE_STORIES = 200_000;
/** Characters of text that count as one more story. */
const CHARACTERS = 160;

/** For how many stories one counts where so many are kept: most are short, and few may hold a million characters. */
function weightOf(story: Pick<Story, 'description'> & Partial<Pick<Story, 'notes' | 'tasks'>>): number {
  const { description, notes = [], tasks = [] } = story;
  let characters = description?.length ?? 0;
  for (const { text } of notes) characters += text.length;
  for (const task of tasks) characters += task.description.length;
  return 1 + Math.floor(characters / CHARACTERS);
}

/** The whole stories of the projects that were asked about last. A story is the same value for as long as nothing of it changes. */
class WholeStories {
  private readonly known = new LeastRecentlyUsed<number, Known>(MOST_WHOLE_STORIES);
  private readonly underWay = new SharedWork<Known>();

  /** By their ids; undefined where they are too much to be held. The transaction must be one in which the rows are true. */
  async of(tx: Tx, asked: ProjectRows): Promise<((id: number) => Story | undefined) | undefined> {
    const { byId } = await this.read(tx, asked);
    return byId && ((id) => byId.get(id)?.story);
  }

  private read(tx: Tx, asked: ProjectRows): Promise<Known> {
    const { id, changes } = asked.project;
    const known = this.known.get(id);
    if (known?.changes === changes) return Promise.resolve(known);
    return this.underWay.get(`${id} ${changes}`, async () => {
      const read = await readStories(tx, asked, known);
      let weight = 1;
      for (const { story } of read.byId?.values() ?? []) weight += weightOf(story);
      this.known.set(id, read, weight);
      return read;
    });
  }
}

async function readStories(tx: Tx, { project, rows, isWhole }: ProjectRows, known: Known | undefined): Promise<Known> {
  const rulesNow = await storyRules(tx, project);
  const rules = JSON.stringify(rulesNow);
  const before = known?.rules === rules ? known.byId : undefined;
  const partsOf = isWhole ? await partsOfProject(tx, project.id) : undefined;
  if (!partsOf) return { changes: project.changes, rules, byId: undefined };
  const byId = new Map<number, Stored>();
  for (const row of rows) {
    const parts = partsOf(row.id);
    const old = before?.get(row.id);
    byId.set(row.id, old && isUnchanged(old, row, parts) ? old : { row, parts, story: storyOf(row, parts, rulesNow) });
    await rest();
  }
  return { changes: project.changes, rules, byId };
}

function isUnchanged(old: Stored, row: StoryRow, parts: StoryParts): boolean {
  return (
    sameRow(old.row, row) &&
    sameRows(old.parts.labels, parts.labels) &&
    sameRows(old.parts.notes, parts.notes) &&
    sameRows(old.parts.tasks, parts.tasks) &&
    sameRows(old.parts.attachments, parts.attachments)
  );
}

function sameRows<R extends object>(some: readonly R[], others: readonly R[]): boolean {
  return some.length === others.length && some.every((row, index) => sameRow(row, others[index]));
}

/** Rows of one table have the same columns. */
function sameRow<R extends object>(one: R, other: R | undefined): boolean {
  if (one === other) return true;
  for (const column in one) if (one[column] !== other?.[column]) return false;
  return true;
}

/** A project with the rows of its stories, planned. */
export interface ProjectView extends ProjectStories {
  readonly project: ProjectRow;
  readonly plan: Plan<StoryRow>;
  /** When the current iteration ends and the plan changes by itself. */
  readonly validUntil: number;
  /** When the current iteration began: before it, where a clock was put back, the plan was another. */
  readonly validFrom: number;
}

const MOST_STORIES = 200_000;

/** Views of the projects that were asked about last, each good for one version of the project. */
export class ProjectViews {
  private readonly views = new LeastRecentlyUsed<number, ProjectView>(MOST_STORIES);
  private readonly underWay = new SharedWork<ProjectView>();
  private readonly stories = new WholeStories();
  private readonly database: Pick<Database, 'read'>;

  constructor(database: Pick<Database, 'read'>) {
    this.database = database;
  }

  /** The view of a project as it is now, where it was read already. */
  atHand(project: ProjectRow, now: number): ProjectView | undefined {
    const known = this.views.get(project.id);
    return known && isTrue(known, project, now) ? known : undefined;
  }

  async get(tx: Tx, project: ProjectRow, now: number): Promise<ProjectView> {
    const known = this.atHand(project, now);
    if (known) return known;
    const begun = await this.underWay.get(`${project.id} ${project.changes}`, () => this.read(tx, project, now));
    return isTrue(begun, project, now) ? begun : this.read(tx, project, now);
  }

  /** The whole stories of a view, for a member of the project. The transaction must be one in which the view is true. */
  async storiesOf(tx: Tx, view: ProjectView, reader: UserRow): Promise<ListedStories> {
    const storyOf = await this.stories.of(tx, view);
    return storyOf ? new HeldStories(storyOf) : new ReadStories(this.database, view.project, reader);
  }

  private async read(tx: Tx, project: ProjectRow, now: number): Promise<ProjectView> {
    const stories = await storyRows(tx, project.id, MAX_TEXT_OF_LOOK);
    const { rows } = stories;
    const overrides = await overridesOfProject(tx, project.id);
    await newSlice();
    const planned = projectPlan(project, rows, overrides, now);
    await rest();
    const view = { project, ...stories, plan: planned, ...validityOf(planned, now) };
    const weight = rows.reduce((sum, { description }) => sum + weightOf({ description: description ?? '' }), 1);
    this.views.set(project.id, view, weight);
    return view;
  }
}

/** Of a plan that was made at this moment. */
export function validityOf({ current: { start, finish } }: Pick<Plan<PlannedStory>, 'current'>, now: number): Validity {
  return { validFrom: Math.min(start, now), validUntil: finish };
}

function isTrue(view: ProjectView, { changes }: ProjectRow, now: number): boolean {
  return view.project.changes === changes && isValid(view, now);
}

/** The last one that can be written (`v3/dates.ts`), for plans that reach further. */
const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59);
const planDate = (moment: number): ZonedDate => zonedDate(Math.min(moment, LAST_MOMENT));

/** A planned iteration as its element tells of it. */
export function iterationOf(planned: PlannedIteration<StoryRow>): ListedIteration<StoryRow> {
  return {
    id: planned.number,
    number: planned.number,
    start: planDate(planned.start),
    finish: planDate(planned.finish),
    teamStrength: planned.teamStrength,
    stories: planned.stories,
  };
}

/** The stories of a project, given in priority order, laid out by its rules as they are at a moment. */
export function projectPlan<R extends PlannedStory & Pick<StoryRow, 'type' | 'estimate'>>(
  project: ProjectRow,
  rows: readonly R[],
  overrides: readonly IterationOverride[],
  now: number,
): Plan<R> {
  return plan(estimatedRows(rows, project), planningRules(project, overrides), now);
}

/** Estimates of types that this project does not estimate any more do not count. */
function estimatedRows<R extends Pick<StoryRow, 'type' | 'estimate'>>(
  rows: readonly R[],
  project: ProjectRow,
): readonly R[] {
  const rules = rulesOf(project);
  return rows.map((row) =>
    row.estimate === null || isEstimatable(row.type, rules) ? row : { ...row, estimate: null },
  );
}

function planningRules(project: ProjectRow, overridden: readonly IterationOverride[]): PlanningRules {
  const overrides = overridden.map(
    ({ number, teamStrength, weeks }) => [number, { teamStrength, ...(weeks !== null && { length: weeks }) }] as const,
  );
  return {
    iterationLength: project.iterationLength,
    weekStartDay: project.weekStartDay,
    ...(project.startDate !== null && { startAt: project.startDate }),
    averagedIterations: project.averagedIterations,
    initialVelocity: project.initialVelocity,
    commitMode: project.commitMode === 1,
    overrides: new Map(overrides),
  };
}
