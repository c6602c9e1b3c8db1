import { type CommitMessage, keptMarkers, type PlacedMarker, readCommitMessage } from './commitMessage.ts';
import { parseMarkers, type TextRange } from './markerSyntax.ts';
import { type EditedText, edited, type TextEdit } from './textEdit.ts';

/**
 * The message without these stories in its markers, or without any marker; a marker that gets empty goes, and with it the
 * space or the paragraph that it stood in. Lines that Git drops stay as they are.
 */
export function withoutMarker(
  message: string,
  storyIds?: readonly number[],
  { commentChar = '#' }: { readonly commentChar?: string } = {},
): EditedText {
  const parts = readCommitMessage(message, commentChar);
  return edited(message, removals(message, parts, keptMarkers(message, parts), storyIds));
}

/** The edits that take stories out of `markers`; all stories when `storyIds` is left out. */
export function removals(
  message: string,
  parts: CommitMessage,
  markers: readonly PlacedMarker[],
  storyIds?: readonly number[],
): readonly TextEdit[] {
  const wanted = storyIds && new Set(storyIds);
  const isGone = ({ id }: { readonly id: number }) => wanted?.has(id) ?? true;
  const emptied = markers.filter(({ ids }) => ids.every(isGone));
  const thinned = markers.filter(({ ids }) => ids.some(isGone) && !ids.every(isGone));
  const byLine = Map.groupBy(emptied, ({ line }) => line);
  const around = byLine.size > 0 ? wordsAround(parts) : NO_WORDS;
  return [
    ...thinned.flatMap(({ ids }) => thinnings(ids.map((one) => ({ ...one.range, isGone: isGone(one) })))),
    ...[...byLine.values()].flatMap((onLine) => lineRemovals(message, parts, around, onLine)),
  ];
}

/** Each id goes with what parts it from the one before; those at the head with what parts them from the next. */
function thinnings(ids: readonly (TextRange & { readonly isGone: boolean })[]): readonly TextEdit[] {
  const firstKept = ids.findIndex(({ isGone }) => !isGone);
  return ids.flatMap((one, index) => {
    if (!one.isGone) return [];
    const before = ids[index - 1];
    const after = ids[index + 1];
    if (index < firstKept && after) return [deletion(one.start, after.start)];
    return before ? [deletion(before.end, one.end)] : [];
  });
}

function lineRemovals(
  message: string,
  parts: CommitMessage,
  around: WordsAround,
  markers: readonly PlacedMarker[],
): readonly TextEdit[] {
  const first = markers[0];
  const line = first && parts.lines[first.line];
  if (!first || !line) return [];
  const awaitsSubject = first.line === parts.subject && line.text.startsWith(' [');
  if (first.line > 0 && !awaitsSubject && isBlankWithout(line.text, markers, line.start))
    return [paragraphRemoval(parts, around, first.line, line.end)];
  return inlineRemovals(message, markers, line);
}

/** Where there are words once lines of nothing but markers and lines that Git drops are gone. */
interface WordsAround {
  /** Index of the first line with words. */
  readonly first: number;
  /** Of each line, whether the next one below that is left has words. */
  readonly areBelow: readonly boolean[];
}

const NO_WORDS: WordsAround = { first: 0, areBelow: [] };

function wordsAround({ lines }: CommitMessage): WordsAround {
  const areBelow = new Array<boolean>(lines.length).fill(false);
  let first = lines.length;
  let isWords = false;
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    areBelow[index] = isWords;
    const line = lines[index];
    if (!line || line.isDropped || isMarkersOnly(line.text)) continue;
    isWords = line.text.trim() !== '';
    if (isWords) first = index;
  }
  return { first, areBelow };
}

/** The empty line above goes too, unless it parts what is above it from words that follow. */
function paragraphRemoval(
  { lines }: CommitMessage,
  { first, areBelow }: WordsAround,
  index: number,
  end: number,
): TextEdit {
  const above = lines[index - 1];
  const isParting = areBelow[index] === true && first < index;
  const text = above?.text === '' && !isParting ? lines[index - 2] : above;
  return deletion(text?.end ?? 0, end);
}

function isMarkersOnly(line: string): boolean {
  const markers = parseMarkers(line);
  return markers.length > 0 && isBlankWithout(line, markers, 0);
}

/** Whether nothing but space is left of a line without its markers; `offset` is where the line begins. */
function isBlankWithout(line: string, markers: readonly Pick<PlacedMarker, 'range'>[], offset: number): boolean {
  let end = 0;
  for (const { range } of markers) {
    if (line.slice(end, range.start - offset).trim() !== '') return false;
    end = range.end - offset;
  }
  return line.slice(end).trim() === '';
}

/** Each marker goes with one space before it and, with nothing left before that on the line, one behind it. */
function inlineRemovals(message: string, markers: readonly PlacedMarker[], line: TextRange): readonly TextEdit[] {
  let emptyTo = line.start;
  return markers.map(({ range: { start, end } }) => {
    const isFirst = start === emptyTo || (start === emptyTo + 1 && isSpace(message, emptyTo));
    if (!isFirst) return deletion(isSpace(message, start - 1) ? start - 1 : start, end);
    const from = emptyTo;
    emptyTo = isSpace(message, end) ? end + 1 : end;
    return deletion(from, emptyTo);
  });
}

function isSpace(text: string, index: number): boolean {
  return /[ \t]/.test(text.charAt(index));
}

function deletion(start: number, end: number): TextEdit {
  return { offset: start, length: end - start, text: '' };
}

/**
 * The message with another story in place of one, in every marker that names it; a marker that names the other one too just
 * loses the first. `commentChar` as in `readCommitMessage`.
 */
export function withStoryReplaced(message: string, storyId: number, otherId: number, commentChar: string): EditedText {
  if (storyId === otherId) return edited(message, []);
  const parts = readCommitMessage(message, commentChar);
  const naming = keptMarkers(message, parts).filter(({ ids }) => ids.some(({ id }) => id === storyId));
  const [both, one] = [true, false].map((hasBoth) =>
    naming.filter(({ ids }) => ids.some(({ id }) => id === otherId) === hasBoth),
  );
  const replacements = (one ?? []).flatMap(({ ids }) =>
    ids
      .filter(({ id }) => id === storyId)
      .map(({ range: { start, end } }) => ({ offset: start, length: end - start, text: `#${otherId}` })),
  );
  return edited(message, [...removals(message, parts, both ?? [], [storyId]), ...replacements]);
}
