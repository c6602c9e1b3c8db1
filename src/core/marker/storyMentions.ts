import { type CommitMessage, keptMarkers, readCommitMessage } from './commitMessage.ts';
import { effectOf, type MarkerEffect, type TextRange } from './markerSyntax.ts';

/** Ids in a commit message that are in no marker, so that no server reads them. */
export interface StoryMention {
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
const notOfStories =
  /^(?:requests?|pulls?|prs?|mrs?|issues?|discussions?|merge[sd]?|builds?|runs?|steps?|parts?|items?|attempts?)$/i;

/**
 * The mentions of stories outside of markers, in the order of the text. A number without a verb is left out where anything
 * in the message suggests that it is a pull request's: there or elsewhere it is in parentheses, as hosts of repositories
 * write `Sort (#12)`, or behind a word like *request*. `commentChar` as in `readCommitMessage`.
 */
export function storyMentions(message: string, commentChar: string): readonly StoryMention[] {
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
