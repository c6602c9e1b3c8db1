import type { HintFix } from './commitHint.ts';
import type { MarkerVerb, TextRange } from './markerSyntax.ts';
import type { StoryMention } from './storyMentions.ts';

/** How to make a marker of a mention, the best way first. `verb` is for mentions that have none. */
export function mentionFixes(message: string, mention: StoryMention, verb: MarkerVerb): readonly HintFix[] {
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
export function bracketsAround(message: string, { start, end }: TextRange): TextRange | undefined {
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
