import type { Backlog } from '../../../core/backlog/backlog.ts';
import type { Story } from '../../../core/story/story.ts';
import { choosing, type Steps, visiting } from '../../../host/shell/turnBudget.ts';
import type { ProjectKey } from '../../../host/tree/nodes.ts';
import { filteredStoryGroups, type Group, type Groups, groupedStories, groupsOf, type StoryGroup } from './groups.ts';
import type { TreeFilter } from './treeFilter.ts';
import type { TreeShape } from './treeShape.ts';

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
  const found = filter ? unloaded(filter) : [];
  const passes = (story: Story) => filter?.passes(key, story) === true;
  const groups = filter ? yield* filteredGroups(all, { passes, hidesDone: filter.hidesDone }) : all;
  const looked = listsOf(all, filter?.hidesDone);
  const total = countIn(looked) + found.length;
  const saved = new Map<TreeFilter, readonly Story[]>();
  for (const { filter: one } of shape.saved) {
    if (typeof one === 'string') continue;
    const stories = storiesIn(listsOf(all, one.hidesDone));
    saved.set(one, [...(yield* choosing(stories, (story) => one.passes(key, story))), ...unloaded(one)]);
  }
  const shown = { backlog, shape, groups, found, saved };
  const counted = filter ? { ...shown, count: { shown: countIn(listsOf(groups)) + found.length, total } } : shown;
  if (groupBy === 'iteration') return counted;
  const stories = [...storiesIn(looked), ...found];
  const storyGroups = filter
    ? yield* filteredStoryGroups(stories, groupBy, passes)
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

/** Which stories of a project a filter leaves. */
interface StoryChoice {
  readonly passes: (story: Story) => boolean;
  readonly hidesDone: boolean;
}

/** The groups with the stories that pass, in their places; iterations that nothing is left of are left out. */
function* filteredGroups({ current, backlog, done, icebox }: Groups, choice: StoryChoice): Steps<Groups> {
  return {
    current: yield* left(current, choice),
    backlog: yield* left(backlog, choice),
    done: choice.hidesDone ? [] : yield* left(done, choice),
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

function* filtered(group: Group, { passes }: StoryChoice): Steps<Group> {
  return { ...group, stories: yield* choosing(group.stories, passes), total: group.stories.length };
}
