import { type Marker, parseMarkers } from './markerSyntax.ts';

/** A line without its line end; the scissors stand for all that is below them too. Offsets in UTF-16 units. */
export interface MessageLine {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Git drops it: a comment, or below the scissors. */
  readonly isDropped: boolean;
}

/** A commit message in the making, as Git will take it apart. */
export interface CommitMessage {
  readonly lines: readonly MessageLine[];
  /** The line end it uses. */
  readonly eol: string;
  /** Index of the first line with words; undefined while there is none but trailers. */
  readonly subject: number | undefined;
  /** Index of the last line with words before the trailers. */
  readonly lastText: number | undefined;
}

export interface PlacedMarker extends Marker {
  readonly line: number;
}

/** A sign-off and its like; such lines are trailers even where no subject has been typed above them yet. */
const signOff = /^(?:[A-Z][\w-]*-by|Change-Id): /i;
const trailer = /^[A-Za-z][\w-]*:(?:\s|$)/;
/** What Git writes itself, which makes trailers of a paragraph that has other lines too. */
const generated = /^(?:Signed-off-by: |\(cherry picked from commit )/;
/** The line below which Git drops everything has it behind its comment character. */
const SCISSORS = `${'-'.repeat(24)} >8 ${'-'.repeat(24)}`;

/** The markers that Git will keep, with the index of their line. */
export function keptMarkers(message: string, { lines }: CommitMessage): readonly PlacedMarker[] {
  let line = 0;
  const kept = message.slice(0, lines.findLast(({ isDropped }) => !isDropped)?.end ?? 0);
  return parseMarkers(kept).flatMap((marker) => {
    while ((lines[line]?.end ?? marker.range.end) < marker.range.end) line++;
    return lines[line]?.isDropped ? [] : [{ ...marker, line }];
  });
}

/** `commentChar` is Git's `core.commentChar` or `core.commentString`; `''` where Git keeps every line. */
export function readCommitMessage(message: string, commentChar: string): CommitMessage {
  const lines = linesOf(message, commentChar);
  const written = lines.flatMap((line, index) => (!line.isDropped && line.text.trim() !== '' ? [index] : []));
  const trailers = new Set(trailersAmong(lines, written));
  const words = written.filter((index) => !trailers.has(index));
  return { lines, eol: message.includes('\r\n') ? '\r\n' : '\n', subject: words[0], lastText: words.at(-1) };
}

function linesOf(message: string, commentChar: string): readonly MessageLine[] {
  const lines: MessageLine[] = [];
  let start = 0;
  for (const { 0: eol, index } of message.matchAll(/\r?\n|$/g)) {
    const text = message.slice(start, index);
    const isDropped = commentChar !== '' && text.startsWith(commentChar);
    // Below is a diff, which may be a thousand times as long as the message.
    const isCut = isDropped && text.startsWith(`${commentChar} ${SCISSORS}`);
    lines.push({ start, end: isCut ? message.length : index, text, isDropped });
    if (isCut) break;
    start = index + eol.length;
  }
  return lines;
}

/**
 * The lines of the last paragraph when all of them are trailers, or one of Git's own and a quarter of all (git
 * interpret-trailers), and there is a subject above; without one, when all are sign-offs.
 */
function trailersAmong(lines: readonly MessageLine[], written: readonly number[]): readonly number[] {
  const isBlank = (index: number) => !lines[index]?.isDropped && lines[index]?.text.trim() === '';
  const last = written.at(-1) ?? 0;
  let above = last;
  while (above >= 0 && !isBlank(above)) above--;
  const paragraph = written.filter((index) => index > above);
  const texts = paragraph.map((index) => lines[index]?.text ?? '');
  return (paragraph.length < written.length ? areTrailers(texts) : isEach(texts, signOff)) ? paragraph : [];
}

function areTrailers(lines: readonly string[]): boolean {
  // A single one without a value is a heading, as *Steps:* above what is still to be written.
  if (isEach(lines, trailer)) return lines.length > 1 || /: *\S/.test(lines[0] ?? '');
  const found = lines.filter((line) => trailer.test(line) || generated.test(line));
  return lines.some((line) => generated.test(line)) && found.length * 4 >= lines.length;
}

/** A line that begins with space goes on with the one above it. */
function isEach(lines: readonly string[], pattern: RegExp): boolean {
  return lines.every((line, index) => pattern.test(line) || (index > 0 && /^\s/.test(line)));
}

/** With `core.commentChar=auto` Git takes one of these. */
const usual = /^[#;@!$%^&|:]/;

const scissorsLine = new RegExp(`^(\\S+) ${SCISSORS}\\r?$`, 'm');

/**
 * What begins the lines of a commit file that Git drops, `core.commentChar` or `core.commentString`, by the lines that Git
 * itself wrote at its end; `#` where it wrote none.
 */
export function commentCharIn(file: string): string {
  const [, beforeScissors] = scissorsLine.exec(file) ?? [];
  if (beforeScissors !== undefined) return beforeScissors;
  const text = file.trimEnd().split(/\r?\n/);
  const [char = '#'] = usual.exec(text.at(-1) ?? '') ?? [];
  const isWritten = text
    .slice(-3)
    .every((line) => line === char || line.startsWith(`${char} `) || line.startsWith(`${char}\t`));
  return isWritten && text.length > 2 ? char : '#';
}

/** Subjects that Git and hosts of repositories write for merges, and those by which Git finds what to squash into. */
const generatedSubject =
  /^(?:Merge (?:branch(?:es)?|remote-tracking branch(?:es)?|tags?|commits?) '|Merge pull request #|(?:fixup|squash|amend)! |Squashed commit of the following:)/;
const combined = /This is a combination of \d+ commits/;

/** Whether Git or a host of repositories wrote the message: of a merge, or of what is to be squashed. */
export function isGenerated({ lines, subject }: CommitMessage): boolean {
  return (
    generatedSubject.test(lines[subject ?? -1]?.text ?? '') ||
    lines.some(({ isDropped, text }) => isDropped && combined.test(text))
  );
}

/**
 * Whether a commit is only there until `git rebase --autosquash` works it into the one whose subject, marker included, it
 * repeats; what comes of both is a commit of its own.
 */
export function isProvisional(message: string): boolean {
  return /^(?:fixup|squash|amend)! /.test(message);
}

/** Whether a commit takes another one back, whose subject it quotes; one that takes such a commit back does not. */
export function isRevert(message: string): boolean {
  const [quoting = ''] = /^(?:Revert ")*/.exec(message) ?? [];
  return (quoting.length / 'Revert "'.length) % 2 === 1;
}
