import { keptMarkers, readCommitMessage } from './commitMessage.ts';
import { type MarkerVerb, storyEffects } from './markerSyntax.ts';
import { type EditedText, edited } from './textEdit.ts';
import { withMarker } from './withMarker.ts';
import { withoutMarker } from './withoutMarker.ts';

/** Who kept a marker in the commit box, and who is to. */
export interface Turn {
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly verb: MarkerVerb;
}

/**
 * The text of the commit box when another story is worked on: a message without a marker names the new one. A marker of the
 * old one goes where nothing else has been written; whatever else a person wrote stays.
 */
export function withTurn(text: string, { from, to, verb }: Turn): EditedText {
  const isLeft = from !== undefined && isNothingBut(text, from);
  const before = isLeft ? withoutMarker(text, undefined, { commentChar: '' }).text : text;
  const after = to === undefined ? before : named(before, to, verb).text;
  if (!isLeft) return to === undefined ? edited(text, []) : named(text, to, verb);
  return edited(text, after === text ? [] : [{ offset: 0, length: text.length, text: after }]);
}

/** The text with a marker of the story, unless it has one, of whichever story. */
export function named(text: string, storyId: number, verb: MarkerVerb): EditedText {
  const hasMarker = keptMarkers(text, readCommitMessage(text, '')).length > 0;
  return hasMarker ? edited(text, []) : withMarker(text, [storyId], { verb, commentChar: '' });
}

/** A change of a text, as editors tell it. */
export interface TextChange {
  readonly rangeOffset: number;
  readonly rangeLength: number;
  readonly text: string;
}

/**
 * Whether the changes put another message in the place of one that named the story, as what generates messages does; not
 * when a person types or takes the marker out.
 */
export function isReplaced(before: string, changes: readonly TextChange[], storyId: number): boolean {
  const [change, ...others] = changes;
  if (!change || others.length > 0 || !storyEffects(before).has(storyId)) return false;
  const { rangeOffset, rangeLength, text } = change;
  return rangeOffset === 0 && rangeLength >= before.length && text.trim().length > 1;
}

function isNothingBut(text: string, storyId: number): boolean {
  const ids = [...storyEffects(text).keys()];
  return (
    ids.length === 1 && ids[0] === storyId && withoutMarker(text, undefined, { commentChar: '' }).text.trim() === ''
  );
}
