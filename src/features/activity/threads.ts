import type { ToldActivity } from '../../core/replica/replica.ts';
import { NamedStory } from '../../host/tree/nodes.ts';

/** What happened to one story, or one thing that is not of one story. */
interface Thread {
  /** No other thread has it, and it stays when more happens. */
  readonly id: string;
  /** Absent for what tells of no story, or of several. */
  readonly storyId: number | undefined;
  /** Newest first; never empty. */
  readonly told: readonly [ToldActivity, ...ToldActivity[]];
}

/** Activities put together by story, in the order of each story's first one among them. */
function threadsOf(told: readonly ToldActivity[]): readonly Thread[] {
  const threads = new Map<string, Thread>();
  for (const one of told) {
    const storyId = storyOf(one);
    const id = storyId === undefined ? activityId(one) : `${projectOf(one)}/story/${storyId}`;
    const before = threads.get(id);
    threads.set(id, { id, storyId, told: before ? [...before.told, one] : [one] });
  }
  return [...threads.values()];
}

/** A name for an activity: a server that was set up anew may give one id twice, with other versions. */
function activityId(told: ToldActivity): string {
  return `${projectOf(told)}/activity/${told.activity.id}/${told.activity.version}`;
}

/** The story that it is about; `undefined` when it names none or several. */
function storyOf({ activity }: ToldActivity): number | undefined {
  const ids = new Set(activity.stories.map(({ id }) => id));
  return ids.size === 1 ? activity.stories[0]?.id : undefined;
}

function projectOf({ project: { accountId, projectId } }: ToldActivity): string {
  return `${accountId}/${projectId}`;
}

/** What happened to a story: the latest, with what was before below it; or one of those before. */
export class StoryActivityRow extends NamedStory {
  readonly id: string;
  readonly latest: ToldActivity;
  /** Newest first. */
  readonly before: readonly ToldActivity[];
  readonly parent: StoryActivityRow | undefined;
  constructor(id: string, storyId: number, told: Thread['told'], parent?: StoryActivityRow) {
    const [latest, ...before] = told;
    super(latest.project, storyId);
    this.id = id;
    this.latest = latest;
    this.before = before;
    this.parent = parent;
  }
}

/** What happened to no story, or to several. */
class LooseActivityRow {
  readonly id: string;
  readonly latest: ToldActivity;
  constructor(id: string, latest: ToldActivity) {
    this.id = id;
    this.latest = latest;
  }
}

/** "Show More" at the end. */
export class OlderRow {}

export type ActivityRow = StoryActivityRow | LooseActivityRow | OlderRow;

/** A row for each story that something happened to, and for what happened to none. */
export function rowsOf(told: readonly ToldActivity[]): readonly ActivityRow[] {
  return threadsOf(told).map((thread) => {
    const { id, storyId } = thread;
    return storyId === undefined
      ? new LooseActivityRow(id, thread.told[0])
      : new StoryActivityRow(id, storyId, thread.told);
  });
}

/** What happened to the story before, newest first. */
export function rowsBelow(row: StoryActivityRow): readonly StoryActivityRow[] {
  return row.before.map((told) => new StoryActivityRow(activityId(told), row.storyId, [told], row));
}
