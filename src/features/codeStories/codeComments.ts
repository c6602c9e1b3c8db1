import { placeOfNote } from '../../core/mentions/commentMarks.ts';

/** A note in a line that something is to be done, and where the number of its story goes. */
export interface Todo {
  readonly word: string;
  /** What is to be done; empty where the line says no more. */
  readonly text: string;
  /** Characters from the beginning of the line. */
  readonly insertAt: number;
  /** What stands around the number there. */
  readonly around: readonly [before: string, after: string];
}

/** What stands before the text of a comment. */
const START = /^(?:<!--|\/\*\*?|\/\/[/!]?|\(\*|\{-|\{#|#{1,6}|-{2,6}|;{1,6}|%{1,6}|\*{1,2}|'|rem\b|"""|''')/i;
/** What ends a comment. */
const END = /(?:\*\/|-->|\*\)|-\}|#\}|%>|"""|''')$/;
/** More of a line is not looked at. */
const LONGEST = 2_000;

/** The first note in a line that has one of the words, after the mark of a comment, and no number of a story yet. */
export function todoIn(line: string, words: readonly string[]): Todo | undefined {
  const looked = line.slice(0, LONGEST);
  for (const word of words) {
    const at = placeOfNote(looked, word);
    const rest = at < 0 ? '' : looked.slice(at + word.length);
    if (at < 0 || hasNumber(rest)) continue;
    const end = at + word.length;
    const owner = /^\(([^()]{0,100})\)/.exec(rest);
    const told = rest.slice(owner?.[0].length ?? 0).replace(/^[\s:–—-]+/, '');
    return {
      word,
      text: told.trimEnd().replace(END, '').trim(),
      insertAt: owner ? end + owner[0].length - 1 : end,
      around: owner ? [(owner[1] ?? '').trim() === '' ? '' : ', ', ''] : ['(', ')'],
    };
  }
  return undefined;
}

/** `TODO(#12)`, `TODO: #12`, `TODO [#12]`. */
function hasNumber(rest: string): boolean {
  return /^(?:\([^()]{0,100}#\d|[:\s[(]{0,20}#\d)/.test(rest.trimStart());
}

/** What is written at a note for the number of its story. */
export function numberText([before, after]: Todo['around'], storyId: number): string {
  return `${before}#${storyId}${after}`;
}

/** A line without the marks of a comment around it. */
export function withoutMarks(line: string): string {
  return line.slice(0, LONGEST).trim().replace(START, '').replace(END, '').trim();
}

/** Characters of code that a description has at most. */
const MOST_CODE = 20_000;

/** What a story says about where in the code it comes from. `line` is 1-based; `language` as editors call it. */
export function codeDescription(path: string, line: number, language: string, code: string): string {
  const shown = code.length > MOST_CODE ? `${code.slice(0, MOST_CODE).replace(/[\ud800-\udbff]$/, '')}\n…` : code;
  const ticks = [...shown.matchAll(/`{3,}/g)].map(([run]) => run.length);
  const fence = '`'.repeat(Math.max(2, ...ticks) + 1);
  const name = path.replaceAll('`', "'");
  return `\`${name}:${line}\`\n\n${fence}${fenceWord(language)}\n${withoutIndent(shown)}\n${fence}`;
}

/** What Markdown takes as the language of a block; nothing else may stand there. */
function fenceWord(language: string): string {
  return /^[\w+#.-]{1,40}$/.test(language) && language !== 'plaintext' ? language : '';
}

/** Lines without the blanks that all of them begin with. */
function withoutIndent(code: string): string {
  const lines = code.replaceAll('\r\n', '\n').split('\n');
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  const common = indents.reduce((least, indent) => Math.min(least, indent), Number.POSITIVE_INFINITY);
  const shift = Number.isFinite(common) ? common : 0;
  return lines.map((line) => line.slice(shift).trimEnd()).join('\n');
}
