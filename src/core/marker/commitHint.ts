import type { TextRange } from './markerSyntax.ts';
import type { TextEdit } from './textEdit.ts';

/**
 * `notInBrackets`: read as a marker only within brackets. `unreadBrackets`: with other words in them, no server reads them.
 * `droppedLine`: Git takes the line for a comment. `duplicate`: named before in the same marker. `activeStory`: what is
 * worked on is not named.
 */
export type HintKind =
  | 'notInBrackets'
  | 'unreadBrackets'
  | 'droppedLine'
  | 'unknownStory'
  | 'acceptedStory'
  | 'duplicate'
  | 'activeStory';

/** One way to mend what a hint is about: `add` writes a marker elsewhere, `moveToEnd` behind the words of its line. */
export interface HintFix {
  readonly kind: 'bracket' | 'add' | 'moveToEnd' | 'remove';
  readonly edits: readonly TextEdit[];
}

/** Something in a commit message that will not do what its writer means. */
export interface CommitHint {
  readonly kind: HintKind;
  readonly range: TextRange;
  /** The stories that it is about, at least one. */
  readonly storyIds: readonly number[];
  /** The best first. */
  readonly fixes: readonly HintFix[];
}
