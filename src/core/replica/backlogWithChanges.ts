import type { Backlog } from '../backlog/backlog.ts';
import type { Iteration } from '../story/iteration.ts';
import type { Story } from '../story/story.ts';
import type { BacklogChanges, BacklogLists, PlacedIteration } from './replica.ts';

type Lists = Pick<Backlog, 'iterations' | 'icebox' | 'done'>;

/** Work that may be interrupted wherever it yields. */
type Steps<T> = Generator<undefined, T, undefined>;

/** Stories after which a step ends. */
const STEP = 256;
const NONE: Lists = { iterations: [], icebox: [], done: [] };

/**
 * The backlog after these changes, made in steps since it may be too long to be made in one go. What stays as it is (a story, an
 * iteration, a list, the whole) keeps its identity.
 */
export function* backlogSteps(before: Backlog | undefined, changes: BacklogChanges): Steps<Backlog> {
  const base: Lists = (changes.isWhole ? undefined : before) ?? NONE;
  const lists = changes.lists
    ? yield* filledLists(base, changes.lists, changes.stories)
    : replaced(base, changes.stories);
  const project = before && sameValue(before.project, changes.project) ? before.project : changes.project;
  const isSame = before && before.project === project && !before.missing && sameLists(before, lists);
  return isSame ? before : { project, ...lists };
}

/** Which story stands where. */
export function listsOf(backlog: Lists): BacklogLists {
  const { iterations, icebox, done } = backlog;
  return { iterations: iterations.map(placed), icebox: icebox.map(({ id }) => id), done: done.map(placed) };
}

function placed({ stories, ...iteration }: Iteration): PlacedIteration {
  return { ...iteration, storyIds: stories.map(({ id }) => id) };
}

function* filledLists(base: Lists, lists: BacklogLists, changed: readonly Story[]): Steps<Lists> {
  const all = new Map<number, Story>();
  const known = [...base.done, ...base.iterations].map(({ stories }) => stories);
  for (const stories of [...known, base.icebox, changed]) {
    for (const [index, story] of stories.entries()) {
      if (index % STEP === STEP - 1) yield;
      all.set(story.id, story);
    }
  }
  const doneByNumber = new Map(base.done.map((iteration) => [iteration.number, iteration]));
  const iterations = yield* filled(lists.iterations, (_, index) => base.iterations[index], all);
  const done = yield* filled(lists.done, ({ number }) => doneByNumber.get(number), all);
  return { iterations, icebox: storiesIn(lists.icebox, base.icebox, all), done };
}

function* filled(
  lists: readonly PlacedIteration[],
  beforeOf: (placed: PlacedIteration, index: number) => Iteration | undefined,
  all: ReadonlyMap<number, Story>,
): Steps<readonly Iteration[]> {
  const iterations: Iteration[] = [];
  for (const [index, list] of lists.entries()) {
    const { storyIds, ...now } = list;
    const before = beforeOf(list, index);
    const stories = storiesIn(storyIds, before?.stories, all);
    const isSame = before && stories === before.stories && sameValue({ ...before, stories: undefined }, now);
    iterations.push(isSame ? before : { ...now, stories });
    if (index % 16 === 15 || storyIds.length > STEP) yield;
  }
  return iterations;
}

function storiesIn(
  ids: readonly number[],
  before: readonly Story[] | undefined,
  all: ReadonlyMap<number, Story>,
): readonly Story[] {
  const now = ids.flatMap((id) => all.get(id) ?? []);
  return before && sameItems(before, now) ? before : now;
}

/** The lists with newer versions of stories in their places. */
function replaced({ iterations, icebox, done }: Lists, changed: readonly Story[]): Lists {
  if (changed.length === 0) return { iterations, icebox, done };
  const newer = new Map(changed.map((story) => [story.id, story]));
  const inList = (stories: readonly Story[]) =>
    stories.some(({ id }) => newer.has(id)) ? stories.map((story) => newer.get(story.id) ?? story) : stories;
  const inIteration = (iteration: Iteration): Iteration => {
    const stories = inList(iteration.stories);
    return stories === iteration.stories ? iteration : { ...iteration, stories };
  };
  return { iterations: iterations.map(inIteration), icebox: inList(icebox), done: done.map(inIteration) };
}

function sameLists(before: Lists, now: Lists): boolean {
  return (
    before.icebox === now.icebox && sameItems(before.iterations, now.iterations) && sameItems(before.done, now.done)
  );
}

function sameItems<T>(before: readonly T[], now: readonly T[]): boolean {
  return before.length === now.length && before.every((item, index) => item === now[index]);
}

/** Of plain data whose members come in the same order. */
function sameValue(one: object, other: object): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
