import type { Story } from '../story/story.ts';
import { type CommitMessage, isGenerated, keptMarkers, type PlacedMarker, readCommitMessage } from './commitMessage.ts';
import {
  effectOf,
  type MarkedId,
  type MarkerEffect,
  type MarkerVerb,
  markerEffects,
  type TextRange,
} from './markerSyntax.ts';
import type { TextEdit } from './textEdit.ts';
import { type MarkerOptions, withMarker } from './withMarker.ts';
import { removals } from './withoutMarker.ts';

/** Ids in a commit message that are in no marker, so that no server reads them. */
interface StoryMention {
  /** The verb, where there is one, and the ids. */
  readonly range: TextRange;
  readonly ids: readonly number[];
  /** What its writer asks for. */
  readonly effect: MarkerEffect;
  /** `foreign`: a word like *closes*, which asks for something elsewhere but is no verb of a marker. */
  readonly verb: 'own' | 'foreign' | 'none';
  /** What no marker has there: the colon behind the verb, as in `Fixes: #12`, or a foreign verb. */
  readonly unread?: TextRange;
  /** The line begins with it, so that Git takes the line for a comment and drops it. */
  readonly isDropped: boolean;
}

const IDS = '#\\d{1,15}(?:[ \\t,]+#\\d{1,15})*(?![\\p{L}\\p{N}_])';
const loose = new RegExp(`(?:(?<![\\p{L}\\p{N}_-])([a-z]+)(:?)[ \\t]+)?(?<![\\p{L}\\p{N}_#/&-])(${IDS})`, 'giu');
const atStart = new RegExp(`^${IDS}`, 'u');
const inParentheses = new RegExp(`\\((${IDS})\\)`, 'gu');

const closing = /^(?:close[sd]?|resolve[sd]?|implement(?:s|ed)?)$/i;

/** Words before a number that is someone else's, or that only counts. */
export const notOfStories =
  /^(?:requests?|pulls?|prs?|mrs?|issues?|discussions?|merge[sd]?|builds?|runs?|jobs?|pipelines?|steps?|parts?|items?|attempts?|threads?|frames?|chapters?|figures?)$/i;

/**
 * The mentions of stories outside of markers, in the order of the text. A number without a verb is left out where anything
 * in the message suggests that it is a pull request's: there or elsewhere it is in parentheses, as hosts of repositories
 * write `Sort (#12)`, or behind a word like *request*. `commentChar` as in `readCommitMessage`.
 */
function storyMentions(message: string, commentChar: string): readonly StoryMention[] {
  const parts = readCommitMessage(message, commentChar);
  const markers = keptMarkers(message, parts);
  const isOutside = ({ range }: StoryMention) =>
    markers.every((marker) => range.end <= marker.range.start || range.start >= marker.range.end);
  const others = numbersOfOthers(parts);
  const isStory = ({ verb, ids }: StoryMention) => verb !== 'none' || !ids.some((id) => others.has(id));
  return parts.lines.flatMap(({ text, start, isDropped }) => {
    if (isDropped) return commentChar === '#' ? droppedMention(text, start) : [];
    return [...text.matchAll(loose)]
      .map((match) => mentionOf(match, start))
      .filter((it) => isOutside(it) && isStory(it));
  });
}

function numbersOfOthers({ lines }: CommitMessage): ReadonlySet<number> {
  const kept = lines.filter(({ isDropped }) => !isDropped).map(({ text }) => text);
  const found = kept.flatMap((text) => [
    ...[...text.matchAll(inParentheses)].map(([, ids = '']) => ids),
    ...[...text.matchAll(loose)].flatMap(([, word = '', , ids = '']) => (notOfStories.test(word) ? [ids] : [])),
  ]);
  return new Set(found.flatMap(idsIn));
}

function droppedMention(line: string, start: number): readonly StoryMention[] {
  const [ids] = atStart.exec(line) ?? [];
  if (ids === undefined) return [];
  const range = { start, end: start + ids.length };
  return [{ range, ids: idsIn(ids), effect: 'comment', verb: 'none', isDropped: true }];
}

function mentionOf(match: RegExpExecArray, lineStart: number): StoryMention {
  const [whole, word = '', colon = '', ids = ''] = match;
  const start = lineStart + match.index;
  const end = start + whole.length;
  const shared = { ids: idsIn(ids), isDropped: false };
  const afterWord = start + word.length;
  const effect = word === '' ? undefined : effectOf(word);
  if (effect) {
    const unread = colon && { unread: { start: afterWord, end: afterWord + 1 } };
    return { ...shared, range: { start, end }, effect, verb: 'own', ...unread };
  }
  if (closing.test(word)) {
    const unread = { start, end: afterWord + colon.length };
    return { ...shared, range: { start, end }, effect: 'finish', verb: 'foreign', unread };
  }
  return { ...shared, range: { start: end - ids.length, end }, effect: 'comment', verb: 'none' };
}

function idsIn(text: string): readonly number[] {
  return [...text.matchAll(/\d+/g)].map(([digits]) => Number(digits));
}

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

/** What has been found out about a story; `'unknown'`: no project has it. */
export type StoryFact = 'unknown' | Pick<Story, 'state'>;

export interface HintOptions extends MarkerOptions {
  /** As in `readCommitMessage`. */
  readonly commentChar: string;
  /** Of the markers that fixes write. */
  readonly verb: MarkerVerb;
}

/** The stories that a message names, in the order of the text: within markers, or only as mentions. */
export function namedStories(message: string, commentChar: string): { marked: Set<number>; mentioned: Set<number> } {
  const markers = keptMarkers(message, readCommitMessage(message, commentChar));
  return {
    marked: new Set(markers.flatMap(({ ids }) => ids.map(({ id }) => id))),
    mentioned: new Set(storyMentions(message, commentChar).flatMap(({ ids }) => ids)),
  };
}

/** What to tell about a message, in the order of the text; nothing of stories that `facts` does not have. */
export function commitHints(
  message: string,
  facts: ReadonlyMap<number, StoryFact>,
  options: HintOptions,
): readonly CommitHint[] {
  const parts = readCommitMessage(message, options.commentChar);
  const markers = keptMarkers(message, parts);
  const removal = (marker: PlacedMarker, id: number): HintFix => ({
    kind: 'remove',
    edits: removals(message, parts, [marker], [id]),
  });
  const inMarkers = markers.flatMap((marker) => markerHints(marker, facts, (id) => removal(marker, id)));
  const outside = storyMentions(message, options.commentChar).flatMap((mention) =>
    mentionHints(message, mention, unlinked(mention, markers, facts), options.verb),
  );
  return [...inMarkers, ...outside].toSorted((one, other) => one.range.start - other.range.start);
}

function markerHints(
  { ids }: PlacedMarker,
  facts: ReadonlyMap<number, StoryFact>,
  removal: (id: number) => HintFix,
): readonly CommitHint[] {
  return ids.flatMap(({ id, range }, index): readonly CommitHint[] => {
    const fact = facts.get(id);
    const about = { range, storyIds: [id] };
    const before = ids[index - 1];
    if (before && fact !== undefined && ids.findIndex((one) => one.id === id) < index) {
      return [{ ...about, kind: 'duplicate', fixes: [{ kind: 'remove', edits: [withoutId(before, range)] }] }];
    }
    if (fact === 'unknown') return [{ ...about, kind: 'unknownStory', fixes: [removal(id)] }];
    return fact?.state === 'accepted' ? [{ ...about, kind: 'acceptedStory', fixes: [removal(id)] }] : [];
  });
}

/** An id goes with what parts it from the one before. */
function withoutId(before: MarkedId, { end }: TextRange): TextEdit {
  return { offset: before.range.end, length: end - before.range.end, text: '' };
}

/**
 * The stories of a mention that are known and open, and of which no marker asks as much: what nobody knows is someone
 * else's number, and what is accepted has nothing left to ask for.
 */
function unlinked(
  { ids, effect }: StoryMention,
  markers: readonly PlacedMarker[],
  facts: ReadonlyMap<number, StoryFact>,
): readonly number[] {
  const strength = markerEffects.indexOf(effect);
  const isAsked = (id: number) =>
    markers.some(
      (marker) => markerEffects.indexOf(marker.effect) >= strength && marker.ids.some((one) => one.id === id),
    );
  const isOpen = (fact: StoryFact | undefined) => typeof fact === 'object' && fact.state !== 'accepted';
  return [...new Set(ids)].filter((id) => isOpen(facts.get(id)) && !isAsked(id));
}

function mentionHints(
  message: string,
  mention: StoryMention,
  storyIds: readonly number[],
  verb: MarkerVerb,
): readonly CommitHint[] {
  if (storyIds.length === 0) return [];
  const { range, isDropped } = mention;
  const outside = bracketsAround(message, range) ? 'unreadBrackets' : 'notInBrackets';
  return [{ kind: isDropped ? 'droppedLine' : outside, range, storyIds, fixes: mentionFixes(message, mention, verb) }];
}

/**
 * Tells, at the last word of the subject, that the story which is worked on is not named. Whoever names any story has
 * chosen; a message without a subject, of a merge or to be squashed waits for nothing.
 */
export function activeStoryHint(message: string, storyId: number, options: HintOptions): CommitHint | undefined {
  const parts = readCommitMessage(message, options.commentChar);
  const range = lastWord(parts);
  if (!range || isGenerated(parts) || keptMarkers(message, parts).length > 0) return undefined;
  const mentions = storyMentions(message, options.commentChar);
  if (mentions.some(({ verb, ids }) => verb !== 'none' || ids.includes(storyId))) return undefined;
  const { edits } = withMarker(message, [storyId], options);
  return { kind: 'activeStory', range, storyIds: [storyId], fixes: [{ kind: 'add', edits }] };
}

function lastWord({ lines, subject }: CommitMessage): TextRange | undefined {
  const line = lines[subject ?? -1];
  const text = line?.text.trimEnd() ?? '';
  if (!line || text === '') return undefined;
  let start = text.length;
  while (start > 0 && /\S/.test(text.charAt(start - 1))) start -= 1;
  return { start: line.start + start, end: line.start + text.length };
}

/** How to make a marker of a mention, the best way first. `verb` is for mentions that have none. */
function mentionFixes(message: string, mention: StoryMention, verb: MarkerVerb): readonly HintFix[] {
  const { start, end } = mention.range;
  const inside = insideMarker(message, mention, verb);
  const pair = bracketsAround(message, mention.range);
  if (pair && !isAllOf(pair, mention.range)) {
    return [{ kind: 'add', edits: [{ offset: pair.end, length: 0, text: ` [${inside}]` }] }];
  }
  // A bracket that is there already is made use of, where the other one is missing.
  const lineStart = message.lastIndexOf('\n', start - 1) + 1;
  const isOpen = start > lineStart && message[start - 1] === '[';
  const isClosed = message[end] === ']' && (isOpen || !message.slice(lineStart, start).includes('['));
  const text = `${isOpen ? '' : '['}${inside}${isClosed ? '' : ']'}`;
  const bracket: HintFix = { kind: 'bracket', edits: [{ offset: start, length: end - start, text }] };
  return mention.isDropped ? [bracket, ...movedToEnd(message, mention.range, inside)] : [bracket];
}

/** The pair of brackets on its line that a part of a message is in. */
function bracketsAround(message: string, { start, end }: TextRange): TextRange | undefined {
  const before = /\[[^[\]\r\n]*$/.exec(message.slice(0, start));
  const after = /^[^[\]\r\n]*\]/.exec(message.slice(end));
  return before && after ? { start: before.index, end: end + after[0].length } : undefined;
}

function isAllOf(pair: TextRange, { start, end }: TextRange): boolean {
  return pair.start + 1 === start && pair.end - 1 === end;
}

/** Who writes *closes* wants more than a comment. */
function insideMarker(message: string, { range, verb: kind, unread }: StoryMention, verb: MarkerVerb): string {
  const { start, end } = range;
  if (kind === 'foreign' && unread) return (verb || 'fixes') + message.slice(unread.end, end);
  if (unread) return message.slice(start, unread.start) + message.slice(unread.end, end);
  const text = message.slice(start, end);
  return kind === 'none' && verb !== '' ? `${verb} ${text}` : text;
}

/** Only where words follow, so that the line does not begin with another `#` then. */
function movedToEnd(message: string, { start, end }: TextRange, inside: string): readonly HintFix[] {
  const [line = ''] = /^[^\r\n]*/.exec(message.slice(end)) ?? [];
  const [gap] = /^[\s:,.–-]*(?=[\p{L}\p{N}])/u.exec(line) ?? [];
  if (gap === undefined) return [];
  const edits = [
    { offset: start, length: end - start + gap.length, text: '' },
    { offset: end + line.trimEnd().length, length: 0, text: ` [${inside}]` },
  ];
  return [{ kind: 'moveToEnd', edits }];
}
