import { storyStates, storyTypes } from '../../../core/backlog/workflow.ts';
import type { Story } from '../../../core/story/story.ts';
import { folded } from '../../../core/text.ts';
import { choosing, type Steps, visiting } from '../../../host/shell/turnBudget.ts';
import type { Grouping } from '../../../host/tree/nodes.ts';

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
