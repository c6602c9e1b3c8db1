import type { Backlog } from '../../../core/backlog/backlog.ts';
import { storyStates, storyTypes } from '../../../core/backlog/workflow.ts';
import type { Iteration } from '../../../core/story/iteration.ts';
import type { Story } from '../../../core/story/story.ts';
import { folded } from '../../../core/text.ts';
import { choosing, type Steps, visiting } from '../../../host/shell/turnBudget.ts';
import type { Grouping, GroupKind } from '../../../host/tree/nodes.ts';

/** One row below a project or below its done iterations. */
export interface Group {
  readonly kind: GroupKind;
  readonly iteration: Iteration | undefined;
  readonly stories: readonly Story[];
  /** How many there are, when a filter hides some. */
  readonly total?: number;
}

export interface Groups {
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
export function* groupsOf({ project, iterations, done, icebox }: Backlog): Steps<Groups> {
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
export function* groupedStories(stories: readonly Story[], by: Grouping): Steps<readonly StoryGroup[]> {
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
export function* filteredStoryGroups(
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
