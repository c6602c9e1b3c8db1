import { asServersKeep } from '../text.ts';
import type { LabelChange } from './intent.ts';
import { changingStory, fieldsOf, itsStory, type RulesOfKind } from './rulesOfKind.ts';

export const labelsRules: RulesOfKind<'labels'> = {
  apply: changingStory((story, { change }) => ({ ...story, labels: withLabels(story.labels, change) })),
  touches: ({ storyId }) => [fieldsOf(storyId)],
  undo: {
    reverse: ({ labels }, { kind, storyId, change }) => {
      const after = withLabels(labels, change);
      const add = labels.filter((label) => !after.includes(label));
      const remove = after.filter((label) => !labels.includes(label));
      return { kind, storyId, change: { add, remove }, known: after };
    },
    isAsLeft: ({ labels }, { change }) => {
      // Some servers keep labels in small letters.
      const left = withLabels(labels, change);
      return left === labels || (left.length === labels.length && left.every((label) => has(labels, label)));
    },
  },
  isRepeatable: true,
  showsPlace: false,
  needsStories: itsStory,
};

/**
 * The labels after a change; the same list when they are already so. Capital letters make no other label, but one that is removed
 * can be added in others.
 */
export function withLabels(labels: readonly string[], { add, remove }: LabelChange): readonly string[] {
  const kept = labels.filter((label) => add.includes(label) || !has(remove, label));
  const added = add.filter((label, index) => !has(kept, label) && !has(add.slice(0, index), label));
  return kept.length === labels.length && added.length === 0 ? labels : [...kept, ...added];
}

/** What makes `after` of `before`. */
export function labelChange(before: readonly string[], after: readonly string[]): LabelChange {
  return {
    add: after.filter((label) => !has(before, label)),
    remove: before.filter((label) => !has(after, label)),
  };
}

function has(labels: readonly string[], label: string): boolean {
  const wanted = comparable(label);
  return labels.some((one) => comparable(one) === wanted);
}

function comparable(label: string): string {
  return asServersKeep(label).toLowerCase();
}
