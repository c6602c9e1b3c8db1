import { keptMarkers, readCommitMessage } from './commitMessage.ts';
import { effectOf, parseMarkers, storyEffects } from './markerSyntax.ts';
import { type EditedText, edited } from './textEdit.ts';
import { type MarkerOptions, withMarker, withVerb } from './withMarker.ts';
import { withoutMarker } from './withoutMarker.ts';

/** A change of a text, as editors tell it. */
interface TextChange {
  readonly rangeOffset: number;
  readonly rangeLength: number;
  readonly text: string;
}

/**
 * What a change did to a message: `edited` in part, `emptied` by a program that may be about to write another one, `replaced`
 * by another message, or `cleared` by a person, whose markers went on purpose.
 */
type MessageChange = 'edited' | 'emptied' | 'replaced' | 'cleared';

/** `isByProgram`: written by a program rather than typed or pasted. */
export function messageChange(before: string, changes: readonly TextChange[], isByProgram: boolean): MessageChange {
  const [change, ...others] = changes;
  if (!change) return 'edited';
  const isWhole = change.rangeOffset === 0 && change.rangeLength >= before.length && others.length === 0;
  if (!isWhole) return 'edited';
  const { length } = [...change.text.trim()];
  if (isByProgram) return length === 0 ? 'emptied' : 'replaced';
  return length < 2 ? 'cleared' : 'replaced';
}

/** A marker without its place, its verb as it was typed. */
export interface StandingMarker {
  readonly verb: string;
  readonly ids: readonly number[];
}

/** The markers of the text of a commit box; a story that several name is in one that asks the most. */
export function standingMarkers(text: string): readonly StandingMarker[] {
  const markers = keptMarkers(text, readCommitMessage(text, ''));
  const asked = storyEffects(text);
  return markers.flatMap(({ verb, effect, ids }) => {
    const own = ids.map(({ id }) => id).filter((id) => asked.get(id) === effect);
    return own.length === 0 ? [] : [{ verb, ids: own }];
  });
}

/**
 * The text of the commit box with a marker that the message before had: with the same verb, where markers are put. With
 * `isByPerson`, stories that the text names with whichever verb are left as they are named.
 */
export function withStandingMarker(
  text: string,
  { verb, ids }: StandingMarker,
  options: MarkerOptions,
  isByPerson = false,
): EditedText {
  const named = storyEffects(text);
  const missing = ids.filter((id) => (isByPerson ? !named.has(id) : named.get(id) !== effectOf(verb)));
  return missing.length === 0 ? edited(text, []) : withVerb(text, missing, verb, { ...options, commentChar: '' });
}

/** Whether two texts are one message, as Git stores messages. */
export function isSameMessage(one: string, other: string): boolean {
  return stored(one) === stored(other);
}

/**
 * Whether a commit was made of this text: hooks may have put something around its subject or below it, and programs add
 * trailers.
 */
export function isMadeOf(committed: string, text: string): boolean {
  const [subject = ''] = stored(withoutMarker(text, undefined, { commentChar: '' }).text).split('\n');
  const ids = new Set(storyEffects(committed).keys());
  return committed.includes(subject) && parseMarkers(text).every((marker) => marker.ids.some(({ id }) => ids.has(id)));
}

function stored(message: string): string {
  const lines = message.split(/\r?\n/).map((line) => line.trimEnd());
  return lines.join('\n').trim();
}

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
