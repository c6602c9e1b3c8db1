import type { SourceCommit } from './sourceCommit.ts';
import type { StoryEdit, StoryRef } from './story.ts';
import type { MovePlace } from './tracker.ts';

/** Something a person wants a server to do to one story, in values that can wait on disk until they are sent. */
export type Intent =
  | { readonly kind: 'edit'; readonly storyId: number; readonly edit: StoryEdit }
  | { readonly kind: 'move'; readonly storyId: number; readonly place: MovePlace; readonly targetId: number }
  | { readonly kind: 'comment'; readonly storyId: number; readonly text: string }
  /** A commit is posted once for all stories that its message names; they are of one account. */
  | {
      readonly kind: 'link';
      readonly storyId: number;
      readonly stories: readonly StoryRef[];
      readonly commit: SourceCommit;
    };
