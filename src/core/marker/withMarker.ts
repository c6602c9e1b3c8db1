import { type CommitMessage, keptMarkers, type PlacedMarker, readCommitMessage } from './commitMessage.ts';
import { effectOf, type MarkerVerb, markerText, type TextRange } from './markerSyntax.ts';
import { type EditedText, edited, type TextEdit } from './textEdit.ts';
import { removals } from './withoutMarker.ts';

export interface MarkerOptions {
  /** `fixes` when left out. */
  readonly verb?: MarkerVerb;
  /** Behind the subject, as when left out, or as the last paragraph above the trailers. */
  readonly place?: 'subject' | 'body';
  /** Where a missing subject can be typed: in front of the marker, as when left out, or behind it too. */
  readonly room?: 'before' | 'both';
  /** Git's `core.commentChar`, `#` when left out; `''` where Git keeps every line. */
  readonly commentChar?: string;
  /** Characters. A marker that would make the subject longer goes into the body. */
  readonly subjectLimit?: number;
}

export interface MarkedMessage extends EditedText {
  /** Where in the new text the missing subject is to be typed. */
  readonly subjectAt?: number;
}

/**
 * The message with a marker for these stories, written into the one it has for the same effect where there is one. Asked
 * again it changes nothing; asked with another verb it changes the verb. Every other word, trailers, lines that Git drops
 * and line ends stay as they are.
 */
export function withMarker(message: string, storyIds: readonly number[], options: MarkerOptions = {}): MarkedMessage {
  return withVerb(message, storyIds, options.verb ?? 'fixes', options);
}

/** As `withMarker`, with a verb as someone typed it, which a marker keeps that is written anew. */
export function withVerb(
  message: string,
  storyIds: readonly number[],
  verb: string,
  options: Omit<MarkerOptions, 'verb'>,
): MarkedMessage {
  const { commentChar = '#' } = options;
  const wanted = new Set(storyIds);
  if (wanted.size === 0) return edited(message, []);
  const ids = [...wanted];
  const parts = readCommitMessage(message, commentChar);
  const markers = keptMarkers(message, parts);
  const isSame = ({ effect }: PlacedMarker) => effect === effectOf(verb);
  const home = markers.find(isSame) ?? markers.find((marker) => isWithin(marker, wanted));
  const others = markers.filter((marker) => marker !== home && !isSame(marker));
  const elsewhere = removals(message, parts, others, ids);
  if (home) {
    const present = new Set(markers.filter(isSame).flatMap((marker) => marker.ids.map(({ id }) => id)));
    const missing = ids.filter((id) => !present.has(id));
    return edited(message, [...elsewhere, ...merging(home, wanted, missing, verb)]);
  }
  const { edit, subjectAt } = insertion(parts, markerText(ids, verb), options);
  return { ...edited(message, [...elsewhere, edit]), ...(subjectAt !== undefined && { subjectAt }) };
}

function isWithin(marker: PlacedMarker, ids: ReadonlySet<number>): boolean {
  return marker.ids.every(({ id }) => ids.has(id));
}

/** A marker that holds nothing but the wanted stories takes the wanted verb; another one keeps its own. */
function merging(
  home: PlacedMarker,
  ids: ReadonlySet<number>,
  missing: readonly number[],
  verb: string,
): readonly TextEdit[] {
  if (isWithin(home, ids) && home.verb.toLowerCase() !== verb.toLowerCase()) {
    const all = new Set([...home.ids.map(({ id }) => id), ...missing]);
    const { start, end } = home.range;
    return [{ offset: start, length: end - start, text: markerText([...all], verb) }];
  }
  const last = home.ids.at(-1);
  return last && missing.length > 0
    ? [{ offset: last.range.end, length: 0, text: missing.map((id) => ` #${id}`).join('') }]
    : [];
}

interface Insertion {
  readonly edit: TextEdit;
  readonly subjectAt?: number;
}

function insertion(parts: CommitMessage, marker: string, options: MarkerOptions): Insertion {
  const { lines, eol, subject, lastText } = parts;
  const inBody = eol + eol + marker;
  const subjectLine = lines[subject ?? -1];
  if (!subjectLine) {
    if (options.place === 'body') return awaitingSubject(parts, inBody);
    return options.room === 'both' ? awaitingSubject(parts, ` ${marker} `, true) : awaitingSubject(parts, ` ${marker}`);
  }
  const text = subjectLine.text.trimEnd();
  if (options.place !== 'body' && fitsSubject(text, marker, options.subjectLimit)) {
    return { edit: { offset: subjectLine.start + text.length, length: 0, text: ` ${marker}` } };
  }
  return { edit: { offset: (lines[lastText ?? -1] ?? subjectLine).end, length: 0, text: inBody } };
}

/** Git looks up the commit to squash into by the whole subject behind `fixup!`, so nothing may be added to that. */
function fitsSubject(subject: string, marker: string, limit = Number.POSITIVE_INFINITY): boolean {
  return !/^(?:fixup|squash|amend)! /.test(subject) && [...subject].length + 1 + marker.length <= limit;
}

/** Leaves the first line that Git keeps free to type in, in front of `text` or behind it; makes one when none is free. */
function awaitingSubject({ lines, eol }: CommitMessage, text: string, isBehind = false): Insertion {
  const first = lines.find(({ isDropped }) => !isDropped);
  const before = isBehind ? text.length : 0;
  if (first && first.text.trim() === '') {
    const offset = text.startsWith(eol) ? first.end : first.start;
    return { edit: { offset, length: 0, text }, subjectAt: first.start + before };
  }
  const offset = first?.start ?? 0;
  return { edit: { offset, length: 0, text: text + eol + (first ? eol : '') }, subjectAt: offset + before };
}

/** As `withMarker`, with what is selected taken out, as by everything that is pasted over it. */
export function withMarkerFor(
  message: string,
  selected: TextRange,
  storyIds: readonly number[],
  options: MarkerOptions,
): EditedText {
  const { start, end } = selected;
  if (start === end) return withMarker(message, storyIds, options);
  const taken: TextEdit = { offset: start, length: end - start, text: '' };
  const marked = withMarker(edited(message, [taken]).text, storyIds, options);
  const isAcross = ({ offset, length }: TextEdit) => offset < start && offset + length > start;
  if (marked.edits.some(isAcross)) return edited(message, [{ offset: 0, length: message.length, text: marked.text }]);
  const moved = marked.edits.map((edit) =>
    edit.offset < start ? edit : { ...edit, offset: edit.offset + end - start },
  );
  return edited(message, [
    ...moved.filter(({ offset }) => offset < start),
    taken,
    ...moved.filter(({ offset }) => offset >= start),
  ]);
}
