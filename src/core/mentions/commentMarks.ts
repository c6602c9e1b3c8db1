/** What is around a comment of one line. */
export type Marks = readonly [before: string, after: string];

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

/** Whether a line begins with a comment. */
export function isComment(line: string): boolean {
  return /^(?:\/\/|\/\*|\*\s|#(?!\w)|--(?!>)|<!--|;|%|\(\*|\{-)/.test(line.trimStart());
}

/** Before the word: the mark of a comment, in whatever language, and then blanks, bullets and boxes; or no more than these at all. */
const BEFORE_NOTE =
  /(?:^|<!--|\/\*\*?|\/\/[/!]?|\(\*|\{-|\{#|#|--|;|%|\*|'|\brem\b|"""|''')[\s*>@-]{0,40}(?:\[[ x]?\]\s{0,4})?$/i;

/** Where a word stands as a note of what is to be done: as a word of its own at the beginning of a comment; -1 where it does not. */
export function placeOfNote(line: string, word: string): number {
  const at = placeOfWord(line, word);
  return at >= 0 && BEFORE_NOTE.test(line.slice(0, at)) ? at : -1;
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
