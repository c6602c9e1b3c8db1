import { findStory } from '../../core/backlog/backlog.ts';
import { messageOf } from '../../core/errors.ts';
import { isPendingTask } from '../../core/intents/newTask.ts';
import type { Log } from '../../core/log.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import type { Story, Task } from '../../core/story/story.ts';
import type { Backlogs } from '../projects/backlogs.ts';
import { inBackground } from '../shell/turnBudget.ts';
import { type DraftStore, moveDrafts } from './draftFiles.ts';
import { type MadeStory, madeSince } from './newStories.ts';
import type { AwaitedStory, RestoredStories } from './restoredStories.ts';
import type { WantedAgain } from './storyCopies.ts';

interface Needs {
  readonly backlogs: Pick<Backlogs, 'peek' | 'refreshStory' | 'reload' | 'whenGone'>;
  readonly log: Log;
  readonly openDrafts: () => Promise<DraftStore>;
  readonly restoredStories: Pick<RestoredStories, 'addRemoved' | 'addRestored' | 'addRestoredTask' | 'awaited'>;
}

/**
 * Notes which numbers a story that was made again and its tasks have now; of one that waits for its server, also those that it is given
 * then. What was written about it and not saved follows to them. `former` are the tasks that it had.
 */
export async function noteRestored(
  needs: Needs,
  key: ProjectKey,
  made: MadeStory<WantedAgain>,
  former: readonly Task[],
): Promise<void> {
  const { backlogs, openDrafts, restoredStories } = needs;
  const { storyId, wanted, entryId } = made;
  const backlog = backlogs.peek(key);
  const taskIds = former.map(({ id }) => id);
  noteTasks(needs, key, taskIds, backlog && findStory(backlog, storyId));
  restoredStories.addRestored(key, wanted.former, storyId);
  await moveDrafts(await openDrafts(), { ...key, storyId: wanted.former }, { ...key, storyId });
  if (entryId === undefined) return;
  const { name, description } = wanted.story;
  const named = { name, description: description ?? '' };
  const awaited = { key, storyId, formerId: wanted.former, ...named, entryId, taskIds };
  restoredStories.awaited.add(awaited);
  followAwaited(needs, awaited, made.others);
}

/** Notes the number of a story that waits for its server once it has one; `others` are those that it cannot be, where they are known. */
export function followAwaited(needs: Needs, awaited: AwaitedStory, others: ReadonlySet<number> = new Set()): void {
  inBackground(needs.log, noteLater(needs, awaited, others));
}

async function noteLater(needs: Needs, awaited: AwaitedStory, others: ReadonlySet<number>): Promise<void> {
  const { backlogs, log, openDrafts, restoredStories } = needs;
  const { key, storyId, formerId, entryId, taskIds } = awaited;
  const outcome = await backlogs.whenGone(entryId);
  restoredStories.awaited.delete(awaited);
  if (outcome.kind !== 'sent') {
    restoredStories.addRemoved(key, storyId);
    return;
  }
  const number = outcome.created ?? (await numberElsewhere(needs, awaited, others));
  if (number === undefined) return;
  const story = await backlogs.refreshStory(key, number).catch((thrown: unknown) => log.debug(messageOf(thrown)));
  noteTasks(needs, key, taskIds, story ?? undefined);
  for (const name of [storyId, formerId]) restoredStories.addRestored(key, name, number);
  await moveDrafts(await openDrafts(), { ...key, storyId }, { ...key, storyId: number });
}

/** Another window that sent it tells no number. */
async function numberElsewhere(
  { backlogs }: Needs,
  { key, name, description }: AwaitedStory,
  others: ReadonlySet<number>,
): Promise<number | undefined> {
  await backlogs.reload(key);
  return madeSince(backlogs, key, { name, description }, (id) => !others.has(id));
}

function noteTasks(
  { restoredStories }: Needs,
  key: ProjectKey,
  taskIds: readonly number[],
  story: Pick<Story, 'tasks'> | undefined,
): void {
  const tasks = story?.tasks ?? [];
  // Where the server refused one, nothing tells which is which.
  if (tasks.length !== taskIds.length) return;
  for (const [index, id] of taskIds.entries()) {
    const restored = tasks[index];
    if (restored && !isPendingTask(restored)) restoredStories.addRestoredTask(key, id, restored.id);
  }
}

/** What is known of the stories of an account that were made again, in values that outlive the window. */
export interface KeptNumbers {
  /** By what the story or task was called. */
  readonly numbers: readonly (readonly [name: string, restoredId: number])[];
  readonly removed: readonly string[];
  readonly awaited: readonly AwaitedStory[];
}

/** The latest are kept, so many of each. */
const KEPT = 1000;

export function numbersOfAccount({ numbers, removed, awaited }: RestoredStories, accountId: string): KeptNumbers {
  const start = `${accountId}/`;
  const latest = <T>(all: Iterable<T>, isOurs: (one: T) => boolean) => [...all].filter(isOurs).slice(-KEPT);
  return {
    numbers: latest(numbers, ([name]) => name.startsWith(start)),
    removed: latest(removed, (name) => name.startsWith(start)),
    awaited: latest(awaited, ({ key }) => key.accountId === accountId),
  };
}

/** Adds what an earlier window knew. What is known by now is newer. */
export function addKeptNumbers(stories: RestoredStories, { numbers, removed, awaited }: KeptNumbers): void {
  for (const [name, restoredId] of numbers) {
    if (!stories.numbers.has(name)) stories.numbers.set(name, restoredId);
  }
  for (const name of removed) stories.removed.add(name);
  for (const story of awaited) stories.awaited.add(story);
}

/** What was written down of an account, as far as it has this form. */
export function readNumbers(value: unknown, accountId: string): KeptNumbers {
  const isOurs = (text: unknown): text is string => typeof text === 'string' && text.startsWith(`${accountId}/`);
  const isNumbered = (one: unknown): one is readonly [string, number] =>
    Array.isArray(one) && isOurs(one[0]) && Number.isSafeInteger(one[1]);
  const { numbers, removed, awaited } = isRecord(value) ? value : {};
  return {
    numbers: Array.isArray(numbers) ? numbers.filter(isNumbered) : [],
    removed: Array.isArray(removed) ? removed.filter(isOurs) : [],
    awaited: Array.isArray(awaited) ? awaited.filter((one) => isAwaited(one, accountId)) : [],
  };
}

function isAwaited(one: unknown, account: string): one is AwaitedStory {
  if (!isRecord(one) || !isRecord(one.key)) return false;
  const { key, storyId, formerId, name, description, entryId, taskIds } = one;
  const areIds = [key.projectId, storyId, formerId, ...(Array.isArray(taskIds) ? taskIds : [Number.NaN])];
  const areTexts = [name, description, entryId].every((text) => typeof text === 'string');
  return key.accountId === account && areTexts && areIds.every(Number.isSafeInteger);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
