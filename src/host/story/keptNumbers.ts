import type { AwaitedStory, RestoredStories } from './restoredStories.ts';

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
