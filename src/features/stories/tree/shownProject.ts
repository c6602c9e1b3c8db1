import type { Backlog } from '../../../core/backlog/backlog.ts';
import { storyStates, storyTypes } from '../../../core/backlog/workflow.ts';
import type { Iteration } from '../../../core/story/iteration.ts';
import type { ProjectKey } from '../../../core/story/projectKey.ts';
import type { Story } from '../../../core/story/story.ts';
import { folded } from '../../../core/text.ts';
import { choosing, type Steps, sorting, visiting } from '../../../host/shell/turnBudget.ts';
import type { Grouping, GroupKind } from '../../../host/tree/nodes.ts';
import type { TreeFilter } from './treeFilter.ts';
import type { TreeShape } from './treeShape.ts';

/** One row below a project or below its done iterations. */
export interface Group {
  readonly kind: GroupKind;
  readonly iteration: Iteration | undefined;
  readonly stories: readonly Story[];
  /** How many there are, when a filter hides some. */
  readonly total?: number;
}

interface Groups {
  readonly current: readonly Group[];
  readonly backlog: readonly Group[];
  /** Newest first. */
  readonly done: readonly Group[];
  readonly icebox: Group;
}

/**
 * A project's groups as they are shown. The parts of a backlog are read one after the other, so a story or an iteration
 * can have come twice when it moved in the meantime: it is shown once, where work goes on.
 */
function* groupsOf({ project, iterations, done, icebox }: Backlog): Steps<Groups> {
  const numbers = new Set<number>();
  const ids = new Set<number>();
  const isNew = ({ id }: Story) => firstTime(ids, id);
  function* groups(all: readonly Iteration[], kindOf: (index: number) => GroupKind): Steps<readonly Group[]> {
    const made: Group[] = [];
    for (const [index, iteration] of all.entries()) {
      if (!firstTime(numbers, iteration.number)) continue;
      made.push({ kind: kindOf(index), iteration, stories: yield* choosing(iteration.stories, isNew) });
    }
    return made;
  }
  const now = Math.max(
    0,
    iterations.findIndex(({ number }) => number === project.currentIterationNumber),
  );
  const scheduled = yield* groups(iterations, (index) => (index === now ? 'current' : 'backlog'));
  const kept: Group = { kind: 'icebox', iteration: undefined, stories: yield* choosing(icebox, isNew) };
  return {
    current: scheduled.filter(({ kind }) => kind === 'current'),
    backlog: scheduled.filter(({ kind }) => kind === 'backlog'),
    done: yield* groups(done.toReversed(), () => 'done'),
    icebox: kept,
  };
}

function firstTime(seen: Set<number>, one: number): boolean {
  if (seen.has(one)) return false;
  seen.add(one);
  return true;
}

/** Stories that have something in common. */
export interface StoryGroup {
  readonly by: Grouping;
  /** Absent for those without an owner or a label. */
  readonly value: string | undefined;
  readonly stories: readonly Story[];
  /** How many there are, when a filter hides some. */
  readonly total?: number;
}

/**
 * The stories by state and type in the order of the workflow, by owner and label in that of the alphabet, those without
 * last. A story of several labels is in each of their groups; within a group the order stays.
 */
function* groupedStories(stories: readonly Story[], by: Grouping): Steps<readonly StoryGroup[]> {
  const groups = new Map<string | undefined, Story[]>();
  yield* visiting(stories, (story) => {
    for (const value of valuesOf(story, by)) {
      const group = groups.get(value);
      if (group) group.push(story);
      else groups.set(value, [story]);
    }
  });
  const sorted = [...groups].toSorted(([one], [other]) => compared(one, other, by));
  return sorted.map(([value, inGroup]) => ({ by, value, stories: inGroup }));
}

/** The groups with the stories that pass, and how many each has without the filter. */
function* filteredStoryGroups(
  stories: readonly Story[],
  by: Grouping,
  passes: (story: Story) => boolean,
): Steps<readonly StoryGroup[]> {
  const all = yield* groupedStories(stories, by);
  const totals = new Map(all.map(({ value, stories: inGroup }) => [value, inGroup.length]));
  const left = yield* groupedStories(yield* choosing(stories, passes), by);
  return left.map((group) => ({ ...group, total: totals.get(group.value) ?? 0 }));
}

function valuesOf({ state, type, ownedBy, labels }: Story, by: Grouping): readonly (string | undefined)[] {
  if (by === 'state') return [state];
  if (by === 'type') return [type];
  if (by === 'owner') return [ownedBy];
  return labels.length > 0 ? [...new Set(labels)] : [undefined];
}

function compared(one: string | undefined, other: string | undefined, by: Grouping): number {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
  return placeOf(one, by) - placeOf(other, by) || folded(one).localeCompare(folded(other));
}

function placeOf(value: string, by: Grouping): number {
  const known: readonly string[] = by === 'state' ? storyStates : by === 'type' ? storyTypes : [];
  const place = known.indexOf(value);
  return place < 0 ? known.length : place;
}

export interface StoryCount {
  readonly shown: number;
  readonly total: number;
}

/** What the tree shows of one project, worked out once for each backlog and shape. */
export interface ShownProject {
  readonly backlog: Backlog;
  readonly shape: TreeShape;
  readonly groups: Groups;
  /** Done stories that a filter found on the server and that are not loaded. */
  readonly found: readonly Story[];
  /** Absent while stories are grouped by iteration. */
  readonly storyGroups?: readonly StoryGroup[];
  /** What the filter leaves of all that it looks at; absent without one. */
  readonly count?: StoryCount;
  /** What each saved filter finds, in priority order, the icebox and then done stories last. */
  readonly saved: ReadonlyMap<TreeFilter, readonly Story[]>;
}

export function* shownProject(key: ProjectKey, backlog: Backlog, shape: TreeShape): Steps<ShownProject> {
  const { filter, groupBy } = shape;
  const all = yield* groupsOf(backlog);
  const unloaded = yield* unloadedIn(key, all, shape);
  const found = filter ? yield* ordered(unloaded(filter), filter) : [];
  const isMeant = filter?.includes(backlog.project) === true;
  const passes = (story: Story) => isMeant && filter?.passes(key, story) === true;
  const groups = filter ? yield* filteredGroups(all, { passes, filter }) : all;
  const looked = listsOf(all, filter?.hidesDone);
  const total = countIn(looked) + found.length;
  const saved = new Map<TreeFilter, readonly Story[]>();
  for (const { filter: one } of shape.saved) {
    if (typeof one === 'string' || !one.includes(backlog.project)) continue;
    const stories = storiesIn(listsOf(all, one.hidesDone));
    const chosen = yield* choosing(stories, (story) => one.passes(key, story));
    saved.set(one, yield* ordered([...chosen, ...unloaded(one)], one));
  }
  const shown = { backlog, shape, groups, found, saved };
  const counted = filter ? { ...shown, count: { shown: countIn(listsOf(groups)) + found.length, total } } : shown;
  if (groupBy === 'iteration') return counted;
  const stories = [...storiesIn(looked), ...found];
  const storyGroups = filter
    ? yield* filteredStoryGroups(yield* ordered(stories, filter), groupBy, passes)
    : yield* groupedStories(stories, groupBy);
  return { ...counted, storyGroups };
}

/** What a filter found on the server and is in none of the groups. */
function* unloadedIn(key: ProjectKey, groups: Groups, shape: TreeShape): Steps<(one: TreeFilter) => readonly Story[]> {
  const ids = new Set<number>();
  if (searched(shape).some((one) => one.done.foundIn(key).length > 0)) {
    yield* visiting(storiesIn(listsOf(groups)), ({ id }) => ids.add(id));
  }
  return (one) => one.done.foundIn(key).filter(({ id }) => !ids.has(id));
}

/** The filters whose searches on servers show in the tree. */
export function searched({ filter, saved }: TreeShape): readonly TreeFilter[] {
  return [filter, ...saved.map((one) => one.filter)].filter((one) => typeof one === 'object');
}

/** Whether there are done iterations that have not been read. */
export function hasOlder({ done }: Backlog): boolean {
  return (done[0]?.number ?? 1) > 1;
}

function listsOf({ current, backlog, icebox, done }: Groups, hidesDone = false): readonly Group[] {
  return [...current, ...backlog, icebox, ...(hidesDone ? [] : done)];
}

function storiesIn(groups: readonly Group[]): readonly Story[] {
  return groups.flatMap(({ stories }) => stories);
}

function countIn(groups: readonly Group[]): number {
  return groups.reduce((sum, { stories }) => sum + stories.length, 0);
}

/** The stories as a filter sorts them. */
function* ordered(stories: readonly Story[], { order }: TreeFilter): Steps<readonly Story[]> {
  return order ? yield* sorting(stories, order) : stories;
}

/** Which stories of a project a filter leaves. */
interface StoryChoice {
  readonly passes: (story: Story) => boolean;
  readonly filter: TreeFilter;
}

/** The groups with the stories that pass, in their places; iterations that nothing is left of are left out. */
function* filteredGroups({ current, backlog, done, icebox }: Groups, choice: StoryChoice): Steps<Groups> {
  return {
    current: yield* left(current, choice),
    backlog: yield* left(backlog, choice),
    done: choice.filter.hidesDone ? [] : yield* left(done, choice),
    icebox: yield* filtered(icebox, choice),
  };
}

function* left(groups: readonly Group[], choice: StoryChoice): Steps<readonly Group[]> {
  const kept: Group[] = [];
  for (const group of groups) {
    const thinned = yield* filtered(group, choice);
    if (thinned.stories.length > 0) kept.push(thinned);
  }
  return kept;
}

function* filtered(group: Group, { passes, filter }: StoryChoice): Steps<Group> {
  const stories = yield* ordered(yield* choosing(group.stories, passes), filter);
  return { ...group, stories, total: group.stories.length };
}
