import type { MovePlace } from '../backlog/ordering.ts';
import type { NewStory, StoryEdit, StoryRef } from '../story/story.ts';
import type { SourceCommit } from '../story/storyAddress.ts';

/** Labels to put on a story and to take off it; all others stay, those that somebody else put on meanwhile too. */
export interface LabelChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** The labels after a change; the same list when they are already so. Capital letters make no other label. */
export function withLabels(labels: readonly string[], { add, remove }: LabelChange): readonly string[] {
  const kept = labels.filter((label) => !has(remove, label));
  const added = add.filter((label, index) => !has(labels, label) && !has(add.slice(0, index), label));
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
  return labels.some((one) => one.toLowerCase() === label.toLowerCase());
}

/** Something a person wants a server to do to one story, in values that can wait on disk until they are sent. */
export type Intent =
  | { readonly kind: 'edit'; readonly storyId: number; readonly edit: StoryEdit }
  | { readonly kind: 'move'; readonly storyId: number; readonly place: MovePlace; readonly targetId: number }
  | { readonly kind: 'comment'; readonly storyId: number; readonly text: string }
  /** Applied to the labels that the story has when this is sent; `known` were those when it was asked for. */
  | {
      readonly kind: 'labels';
      readonly storyId: number;
      readonly change: LabelChange;
      readonly known: readonly string[];
    }
  | { readonly kind: 'task'; readonly storyId: number; readonly taskId: number; readonly complete: boolean }
  | { readonly kind: 'newTask'; readonly storyId: number; readonly description: string }
  /** `storyId` is negative: what the story is called here until a server has given it a number. */
  | { readonly kind: 'newStory'; readonly storyId: number; readonly story: NewStory }
  /** A commit is posted once for all stories that its message names; they are of one account. */
  | {
      readonly kind: 'link';
      readonly storyId: number;
      readonly stories: readonly StoryRef[];
      readonly commit: SourceCommit;
    };

/** Whether it is about a story that no server has yet, without being what makes it. */
export function meansPendingStory(intent: Intent): boolean {
  return intent.kind !== 'newStory' && (intent.storyId < 0 || (intent.kind === 'move' && intent.targetId < 0));
}
