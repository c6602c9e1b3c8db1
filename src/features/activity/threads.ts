import type { ToldActivity } from '../../core/replica/replica.ts';

/** What happened to one story, or one thing that is not of one story. */
export interface Thread {
  /** No other thread has it, and it stays when more happens. */
  readonly id: string;
  /** Absent for what tells of no story, or of several. */
  readonly storyId: number | undefined;
  /** Newest first; never empty. */
  readonly told: readonly [ToldActivity, ...ToldActivity[]];
}

/** Activities put together by story, in the order of each story's first one among them. */
export function threadsOf(told: readonly ToldActivity[]): readonly Thread[] {
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
export function activityId(told: ToldActivity): string {
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
