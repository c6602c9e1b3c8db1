import { keptMarkers, readCommitMessage } from './commitMessage.ts';
import { storyEffects } from './markerSyntax.ts';
import { type EditedText, edited } from './textEdit.ts';
import { type MarkerOptions, withMarker } from './withMarker.ts';
import { withoutMarker } from './withoutMarker.ts';

/** Who kept a marker in the commit box, and who is to. */
interface Turn {
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** Of the marker that is written. */
  readonly options: MarkerOptions;
}

/**
 * The text of the commit box when another story is worked on: a message without a marker names the new one. A marker of the
 * old one goes where nothing else has been written; whatever else a person wrote stays.
 */
export function withTurn(text: string, { from, to, options }: Turn): EditedText {
  const isLeft = from !== undefined && isNothingBut(text, from);
  const before = isLeft ? withoutMarker(text, undefined, { commentChar: '' }).text : text;
  const after = to === undefined ? before : named(before, to, options).text;
  if (!isLeft) return to === undefined ? edited(text, []) : named(text, to, options);
  return edited(text, after === text ? [] : [{ offset: 0, length: text.length, text: after }]);
}

/** The text with a marker of the story, unless it has one, of whichever story. */
export function named(text: string, storyId: number, options: MarkerOptions): EditedText {
  const hasMarker = keptMarkers(text, readCommitMessage(text, '')).length > 0;
  return hasMarker ? edited(text, []) : withMarker(text, [storyId], { ...options, commentChar: '' });
}

function isNothingBut(text: string, storyId: number): boolean {
  const ids = [...storyEffects(text).keys()];
  return (
    ids.length === 1 && ids[0] === storyId && withoutMarker(text, undefined, { commentChar: '' }).text.trim() === ''
  );
}
