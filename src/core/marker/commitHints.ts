import type { Story } from '../story/story.ts';
import {
  type CommitMessage,
  isGenerated,
  keptMarkers,
  type MessageLine,
  type PlacedMarker,
  readCommitMessage,
} from './commitMessage.ts';
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
  readonly line: MessageLine;
  /** The line begins with it, so that Git takes the line for a comment and drops it. */
  readonly isDropped: boolean;
}

/** Letters of scripts that put no spaces between words: beside a number they are another word's. */
const UNSPACED =
  '\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{scx=Bopo}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}';
const IDS = `#\\d{1,15}(?:[ \\t,]+#\\d{1,15})*(?!(?![${UNSPACED}])[\\p{L}\\p{N}_])`;
const BEFORE = `(?<!(?![${UNSPACED}])[\\p{L}\\p{N}_#/&-])`;
const loose = new RegExp(`(?:(?<![\\p{L}\\p{N}_-])([a-z]+)(:?)[ \\t]+)?${BEFORE}(${IDS})`, 'giu');
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
  const markers = keptMarkers(message, parts).map(({ range }) => range);
  const isOutside = ({ range }: StoryMention) => !isTouched(range, markers);
  const others = numbersOfOthers(parts);
  const isStory = ({ verb, ids }: StoryMention) => verb !== 'none' || !ids.some((id) => others.has(id));
  return parts.lines.flatMap((line) => {
    if (line.isDropped) return commentChar === '#' ? droppedMention(line) : [];
    return [...line.text.matchAll(loose)]
      .map((match) => mentionOf(match, line))
      .filter((it) => isOutside(it) && isStory(it));
  });
}

/** Whether any of these ranges, in the order of the text and none within another, has a part of `range`. */
function isTouched({ start, end }: TextRange, ranges: readonly TextRange[]): boolean {
  const last = lastBefore(end, ranges);
  return last !== undefined && last.end > start;
}

/** The last of these ranges, in the order of the text, that begins before `offset`. */
function lastBefore(offset: number, ranges: readonly TextRange[]): TextRange | undefined {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle]?.start ?? offset) < offset) low = middle + 1;
    else high = middle;
  }
  return ranges[low - 1];
}

function numbersOfOthers({ lines }: CommitMessage): ReadonlySet<number> {
  const kept = lines.filter(({ isDropped }) => !isDropped).map(({ text }) => text);
  const found = kept.flatMap((text) => [
    ...[...text.matchAll(inParentheses)].map(([, ids = '']) => ids),
    ...[...text.matchAll(loose)].flatMap(([, word = '', , ids = '']) => (notOfStories.test(word) ? [ids] : [])),
  ]);
  return new Set(found.flatMap(idsIn));
}

function droppedMention(line: MessageLine): readonly StoryMention[] {
  const [ids] = atStart.exec(line.text) ?? [];
  if (ids === undefined) return [];
  const range = { start: line.start, end: line.start + ids.length };
  return [{ range, ids: idsIn(ids), effect: 'comment', verb: 'none', line, isDropped: true }];
}

function mentionOf(match: RegExpExecArray, line: MessageLine): StoryMention {
  const [whole, word = '', colon = '', ids = ''] = match;
  const start = line.start + match.index;
  const end = start + whole.length;
  const shared = { ids: idsIn(ids), line, isDropped: false };
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
  /** The best first. Worked out when asked for, since nobody mends everything in a message at once. */
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
  const asked = strongestEffects(markers);
  const pairs = [...message.matchAll(/\[[^[\]\r\n]*\]/g)].map(rangeOf);
  const outside = storyMentions(message, options.commentChar).flatMap((mention) => {
    const storyIds = unlinked(mention, asked, facts);
    return storyIds.length === 0 ? [] : [mentionHint(message, mention, { storyIds, pairs, verb: options.verb })];
  });
  return [...inMarkers, ...outside].toSorted((one, other) => one.range.start - other.range.start);
}

function rangeOf({ 0: text, index }: RegExpExecArray): TextRange {
  return { start: index, end: index + text.length };
}

function markerHints(
  { ids }: PlacedMarker,
  facts: ReadonlyMap<number, StoryFact>,
  removal: (id: number) => HintFix,
): readonly CommitHint[] {
  const seen = new Set<number>();
  return ids.flatMap(({ id, range }, index): readonly CommitHint[] => {
    const fact = facts.get(id);
    const about = { range, storyIds: [id] };
    const before = ids[index - 1];
    const isSeen = seen.has(id);
    seen.add(id);
    if (before && fact !== undefined && isSeen) {
      return [{ ...about, kind: 'duplicate', fixes: [{ kind: 'remove', edits: [withoutId(before, range)] }] }];
    }
    const kind = fact === 'unknown' ? 'unknownStory' : fact?.state === 'accepted' ? 'acceptedStory' : undefined;
    if (kind === undefined) return [];
    return [
      {
        ...about,
        kind,
        get fixes() {
          return [removal(id)];
        },
      },
    ];
  });
}

/** An id goes with what parts it from the one before. */
function withoutId(before: MarkedId, { end }: TextRange): TextEdit {
  return { offset: before.range.end, length: end - before.range.end, text: '' };
}

/** What the markers ask at most of each story that they name: the index of the effect. */
function strongestEffects(markers: readonly PlacedMarker[]): ReadonlyMap<number, number> {
  const strongest = new Map<number, number>();
  for (const { effect, ids } of markers) {
    const strength = markerEffects.indexOf(effect);
    for (const { id } of ids) strongest.set(id, Math.max(strength, strongest.get(id) ?? 0));
  }
  return strongest;
}

/**
 * The stories of a mention that are known and open, and of which no marker asks as much: what nobody knows is someone
 * else's number, and what is accepted has nothing left to ask for.
 */
function unlinked(
  { ids, effect }: StoryMention,
  asked: ReadonlyMap<number, number>,
  facts: ReadonlyMap<number, StoryFact>,
): readonly number[] {
  const strength = markerEffects.indexOf(effect);
  const isAsked = (id: number) => (asked.get(id) ?? -1) >= strength;
  const isOpen = (fact: StoryFact | undefined) => typeof fact === 'object' && fact.state !== 'accepted';
  return [...new Set(ids)].filter((id) => isOpen(facts.get(id)) && !isAsked(id));
}

interface MentionFacts {
  readonly storyIds: readonly number[];
  /** The pairs of brackets in the message with none within them. */
  readonly pairs: readonly TextRange[];
  readonly verb: MarkerVerb;
}

function mentionHint(message: string, mention: StoryMention, { storyIds, pairs, verb }: MentionFacts): CommitHint {
  const { range, isDropped } = mention;
  const pair = bracketsAround(range, pairs);
  const outside = pair ? 'unreadBrackets' : 'notInBrackets';
  return {
    kind: isDropped ? 'droppedLine' : outside,
    range,
    storyIds,
    get fixes() {
      return mentionFixes(message, mention, pair, verb);
    },
  };
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
function mentionFixes(
  message: string,
  mention: StoryMention,
  pair: TextRange | undefined,
  verb: MarkerVerb,
): readonly HintFix[] {
  const { start, end } = mention.range;
  const inside = insideMarker(message, mention, verb);
  if (pair && !isAllOf(pair, mention.range)) {
    return [{ kind: 'add', edits: [{ offset: pair.end, length: 0, text: ` [${inside}]` }] }];
  }
  // A bracket that is there already is made use of, where the other one is missing.
  const lineStart = mention.line.start;
  const isOpen = start > lineStart && message[start - 1] === '[';
  const isClosed = message[end] === ']' && (isOpen || !message.slice(lineStart, start).includes('['));
  const text = `${isOpen ? '' : '['}${inside}${isClosed ? '' : ']'}`;
  const bracket: HintFix = { kind: 'bracket', edits: [{ offset: start, length: end - start, text }] };
  return mention.isDropped ? [bracket, ...movedToEnd(message, mention.range, inside)] : [bracket];
}

/** The pair of brackets that a part of a message is in. */
function bracketsAround({ start, end }: TextRange, pairs: readonly TextRange[]): TextRange | undefined {
  const pair = lastBefore(start, pairs);
  return pair && pair.end > end ? pair : undefined;
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
