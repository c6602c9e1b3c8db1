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

/** Before the word: the mark of a comment, in whatever language, and then blanks, bullets and boxes; or no more than these at all. */
const BEFORE =
  /(?:^|<!--|\/\*\*?|\/\/[/!]?|\(\*|\{-|\{#|#|--|;|%|\*|'|\brem\b|"""|''')[\s*>@-]{0,40}(?:\[[ x]?\]\s{0,4})?$/i;
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
    const at = placeOfWord(looked, word);
    const rest = at < 0 ? '' : looked.slice(at + word.length);
    if (at < 0 || !BEFORE.test(looked.slice(0, at)) || hasNumber(rest)) continue;
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

/** As a word of its own; -1 where it is none. */
function placeOfWord(line: string, word: string): number {
  if (word === '') return -1;
  const isPart = (character: string) => /[\p{L}\p{N}_$]/u.test(character);
  for (let at = line.indexOf(word); at >= 0; at = line.indexOf(word, at + 1)) {
    if (!isPart(line.charAt(at - 1)) && !isPart(line.charAt(at + word.length))) return at;
  }
  return -1;
}

/** What is written at a note for the number of its story. */
export function numberText([before, after]: Todo['around'], storyId: number): string {
  return `${before}#${storyId}${after}`;
}

/** A line without the marks of a comment around it. */
export function withoutMarks(line: string): string {
  return line.slice(0, LONGEST).trim().replace(START, '').replace(END, '').trim();
}

/** Whether a line begins with a comment. */
export function isComment(line: string): boolean {
  return /^(?:\/\/|\/\*|\*\s|#(?!\w)|--(?!>)|<!--|;|%|\(\*|\{-)/.test(line.trimStart());
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

/** What is around a comment of one line. */
type Marks = readonly [before: string, after: string];

const SLASHES: Marks = ['// ', ''];
const HASH: Marks = ['# ', ''];
const DASHES: Marks = ['-- ', ''];
const SEMICOLON: Marks = ['; ', ''];
const PERCENT: Marks = ['% ', ''];
const BLOCK: Marks = ['/* ', ' */'];
const MARKUP: Marks = ['<!-- ', ' -->'];

/** Languages by the names that editors have for them. VS Code knows their comments and tells no extension. */
const LANGUAGES: readonly (readonly [Marks, string])[] = [
  [
    SLASHES,
    'c cpp csharp cuda-cpp dart fsharp go groovy java javascript javascriptreact jsonc kotlin less objective-c objective-cpp php proto3 razor rust scala scss solidity swift typescript typescriptreact verilog systemverilog zig',
  ],
  [
    HASH,
    'coffeescript cmake dockercompose dockerfile elixir graphql ignore julia makefile nix perl perl6 powershell properties python r raku ruby shellscript tcl terraform toml yaml',
  ],
  [DASHES, 'ada applescript elm haskell lua sql vhdl'],
  [SEMICOLON, 'clojure ini lisp scheme'],
  [PERCENT, 'bibtex erlang latex matlab prolog tex'],
  [BLOCK, 'css'],
  [MARKUP, 'html markdown svelte vue xml xsl'],
  [["' ", ''], 'vb'],
  [['REM ', ''], 'bat'],
];

const KNOWN: ReadonlyMap<string, Marks> = new Map(
  LANGUAGES.flatMap(([marks, names]) => names.split(' ').map((name) => [name, marks] as const)),
);

/** Told by how lines of the document begin, where its language is not known. */
const GUESSED: readonly (readonly [RegExp, Marks])[] = [
  [/^\s*\/\/ /, SLASHES],
  [/^\s*# /, HASH],
  [/^\s*-- /, DASHES],
  [/^\s*;+ /, SEMICOLON],
  [/^\s*%+ /, PERCENT],
  [/^\s*<!-- /, MARKUP],
];

/** Formats that have no comments at all, whatever their lines look like. */
const WITHOUT: readonly string[] = ['json', 'plaintext', 'csv', 'tsv', 'log', 'diff'];

/** How a comment of one line is written in a language, else as in these lines; `undefined` where neither tells. */
export function commentMarks(language: string, lines: readonly string[]): Marks | undefined {
  const known = KNOWN.get(language);
  if (known || WITHOUT.includes(language)) return known;
  const counted = GUESSED.map(([pattern, marks]) => ({
    marks,
    count: lines.filter((line) => pattern.test(line)).length,
  }));
  const [most] = counted.toSorted((one, other) => other.count - one.count);
  return most && most.count > 0 ? most.marks : undefined;
}

/** A name as a comment with these marks can have it: on one line, and without what ends the comment. */
export function inComment(name: string, [, after]: Marks): string {
  const end = after.trim();
  // Nothing at all in its place could bring together another end.
  return (end === '' ? name : name.replaceAll(end, ' ')).replace(/\s+/g, ' ').trim();
}
