import { keptMarkers, readCommitMessage } from './commitMessage.ts';
import { effectOf, type MarkerEffect, type TextRange } from './markerSyntax.ts';

/** Ids in a commit message that are in no marker, so that no server reads them. */
export interface StoryMention {
  /** The verb, where there is one, and the ids. */
  readonly range: TextRange;
  readonly ids: readonly number[];
  /** What it would ask for in brackets. */
  readonly effect: MarkerEffect;
  readonly hasVerb: boolean;
  /** The colon behind the verb, as in `Fixes: #12`; no marker has one. */
  readonly colon?: TextRange;
  /** The line begins with it, so that Git takes the line for a comment and drops it. */
  readonly isDropped: boolean;
}

const IDS = '#\\d{1,15}(?:[ \\t,]+#\\d{1,15})*(?![\\p{L}\\p{N}_])';
const loose = new RegExp(`(?:(?<![\\p{L}\\p{N}_-])([a-z]+)(:?)[ \\t]+)?(?<![\\p{L}\\p{N}_#/&-])(${IDS})`, 'giu');
const atStart = new RegExp(`^${IDS}`, 'u');

/** Words before a number that is somebody else's. */
const foreign = /^(?:requests?|prs?|mrs?|issues?|discussions?)$/i;

/**
 * The mentions of stories outside of markers, in the order of the text; not `(#12)`, with which hosts of repositories name
 * a pull request. `commentChar` as in `readCommitMessage`.
 */
export function storyMentions(message: string, commentChar: string): readonly StoryMention[] {
  const parts = readCommitMessage(message, commentChar);
  const markers = keptMarkers(message, parts);
  const isOutside = ({ range }: StoryMention) =>
    markers.every((marker) => range.end <= marker.range.start || range.start >= marker.range.end);
  return parts.lines.flatMap(({ text, start, isDropped }) => {
    if (isDropped) return commentChar === '#' ? droppedMention(text, start) : [];
    return [...text.matchAll(loose)].flatMap((match) => mentionOf(match, text, start)).filter(isOutside);
  });
}

function droppedMention(line: string, start: number): readonly StoryMention[] {
  const [ids] = atStart.exec(line) ?? [];
  if (ids === undefined) return [];
  const range = { start, end: start + ids.length };
  return [{ range, ids: idsIn(ids), effect: 'comment', hasVerb: false, isDropped: true }];
}

function mentionOf(match: RegExpExecArray, line: string, lineStart: number): readonly StoryMention[] {
  const [whole, word = '', colon = '', ids = ''] = match;
  const effect = word === '' ? undefined : effectOf(word);
  const from = lineStart + match.index;
  const end = from + whole.length;
  const shared = { ids: idsIn(ids), isDropped: false };
  if (effect) {
    const at = from + word.length;
    const range = { start: from, end };
    return [{ ...shared, range, effect, hasVerb: true, ...(colon && { colon: { start: at, end: at + 1 } }) }];
  }
  const range = { start: end - ids.length, end };
  const isInParentheses = line[range.start - lineStart - 1] === '(' && line[end - lineStart] === ')';
  if (isInParentheses || foreign.test(word)) return [];
  return [{ ...shared, range, effect: 'comment', hasVerb: false }];
}

function idsIn(text: string): readonly number[] {
  return [...text.matchAll(/\d+/g)].map(([digits]) => Number(digits));
}
