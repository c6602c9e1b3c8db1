/** A regular expression as it stands in a source file. */
export interface SourcePattern {
  /** Of the file, from the top of the project. */
  readonly path: string;
  readonly line: number;
  readonly source: string;
  readonly flags: string;
  /** Whether every match in a text is looked for, and not only the first. */
  readonly findsAll: boolean;
}

type Kind = 'word' | 'string' | 'template' | 'pattern' | 'sign';

interface Token {
  readonly kind: Kind;
  readonly text: string;
  readonly at: number;
}

const SPACE = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/y;
const WORD = /[\p{L}\p{N}_$#]+/uy;
const STRING = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/y;
const PATTERN = /\/(?:[^\\[/\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
/** Words after which a slash begins a pattern, and does not divide. */
const NO_VALUES = new Set('await case delete else in instanceof of return throw typeof void yield'.split(' '));

/**
 * Every regular expression of a source file: literals, and what is given to `RegExp`. There, what a template fills in is what the file's
 * constants hold, else a word. Throws for one whose text only shows at run time, unless it is text of which all signs are escaped.
 */
export function patternsOf(path: string, code: string): readonly SourcePattern[] {
  const { tokens } = tokensOf(code);
  const splitters = new Set(
    tokens.flatMap(({ kind, text }, index) => (kind === 'word' && isSplitter(tokens, index) ? [text] : [])),
  );
  const found = (at: number, source: string, flags: string, isSplit: boolean): SourcePattern => {
    const line = code.slice(0, at).split('\n').length;
    return { path, line, source, flags, findsAll: flags.includes('g') || isSplit };
  };
  return tokens.flatMap(({ kind, text, at }, index) => {
    const name = tokens[index - 1]?.text === '=' ? tokens[index - 2]?.text : undefined;
    const isSplit = isSplitter(tokens, index) || splitters.has(name ?? '');
    if (kind === 'pattern') {
      const end = text.lastIndexOf('/');
      return [found(at, text.slice(1, end), text.slice(end + 1), isSplit)];
    }
    if (kind !== 'word' || text !== 'RegExp' || tokens[index + 1]?.text !== '(') return [];
    const [source = [], flags = []] = argumentsAt(tokens, index + 2);
    return [found(at, sourceOf(source, tokens, path), literalText(flags[0]) ?? '', isSplit)];
  });
}

function isSplitter(tokens: readonly Token[], index: number): boolean {
  return tokens[index - 1]?.text === '(' && tokens[index - 2]?.text === 'split';
}

/** The tokens of a piece of code, with those of what its templates fill in; up to where a bracket closes that is not opened in it. */
function tokensOf(code: string, from = 0): { readonly tokens: readonly Token[]; readonly end: number } {
  const tokens: Token[] = [];
  let at = from;
  let depth = 0;
  const taken = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(code)?.[0];
  };
  const add = (kind: Kind, text: string): void => {
    tokens.push({ kind, text, at });
    at += text.length;
  };
  for (at += taken(SPACE)?.length ?? 0; at < code.length; at += taken(SPACE)?.length ?? 0) {
    const sign = code.charAt(at);
    const [word, string] = [taken(WORD), taken(STRING)];
    const pattern = sign === '/' && !isAfterValue(tokens) ? taken(PATTERN) : undefined;
    if (word !== undefined) add('word', word);
    else if (string !== undefined) add('string', string);
    else if (pattern !== undefined) add('pattern', pattern);
    else if (sign === '`') {
      const template = templateAt(code, at);
      add('template', code.slice(at, template.end));
      for (const { tokens: inner } of template.filledIn) tokens.push(...inner);
    } else {
      depth += sign === '{' ? 1 : sign === '}' ? -1 : 0;
      if (depth < 0) break;
      add('sign', sign);
    }
  }
  return { tokens, end: at };
}

/** Whether a slash behind these tokens divides. */
function isAfterValue(tokens: readonly Token[]): boolean {
  const last = tokens.at(-1);
  if (last === undefined) return false;
  if (last.kind === 'word') return !NO_VALUES.has(last.text);
  return last.kind !== 'sign' || last.text === ')' || last.text === ']';
}

interface FilledIn {
  readonly from: number;
  readonly to: number;
  readonly tokens: readonly Token[];
}

/** Where the template at a backquote ends, and what it fills in. */
function templateAt(code: string, from: number): { readonly end: number; readonly filledIn: readonly FilledIn[] } {
  const filledIn: FilledIn[] = [];
  let at = from + 1;
  while (code[at] !== '`') {
    if (at >= code.length) throw new Error(`A template is never closed: ${code.slice(from, from + 40)}`);
    if (code[at] === '\\') at += 2;
    else if (!code.startsWith('${', at)) at += 1;
    else {
      const { tokens, end } = tokensOf(code, at + 2);
      filledIn.push({ from: at + 2, to: end, tokens });
      at = end + 1;
    }
  }
  return { end: at + 1, filledIn };
}

/** The tokens of each argument of a call, of which the first begins at `index`. */
function argumentsAt(tokens: readonly Token[], index: number): readonly (readonly Token[])[] {
  const all: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens.slice(index)) {
    if (token.kind === 'sign' && '([{'.includes(token.text)) depth += 1;
    if (token.kind === 'sign' && ')]}'.includes(token.text)) depth -= 1;
    if (depth < 0) break;
    if (depth === 0 && token.text === ',') all.push([]);
    else all.at(-1)?.push(token);
  }
  return all;
}

/** What stands for a text that is only known at run time. */
const SOME_WORD = 'word';

function sourceOf(argument: readonly Token[], tokens: readonly Token[], path: string): string {
  const [first] = argument;
  // A template is followed by the tokens of what it fills in.
  if (first && (first.kind === 'template' || argument.length === 1)) {
    const text = first.kind === 'word' ? constantText(first.text, tokens) : filledText(first, tokens);
    if (text !== undefined) return text;
  }
  const [flat, last] = [argument.map(({ text }) => text), argument.length - 1];
  const isEscaped = flat.includes('replace') && flat[last - 1] === "'\\\\$&'";
  if (!isEscaped) throw new Error(`${path}: what pattern this is only shows at run time: ${flat.join('')}`);
  return SOME_WORD;
}

/** The text of a literal; undefined for what is none. */
function filledText(token: Token, tokens: readonly Token[]): string | undefined {
  if (token.kind !== 'template') return literalText(token);
  const { filledIn } = templateAt(token.text, 0);
  let text = '';
  let at = 1;
  for (const { from, to } of filledIn) {
    text += unescaped(token.text.slice(at, from - 2));
    text += constantText(token.text.slice(from, to), tokens) ?? SOME_WORD;
    at = to + 1;
  }
  return text + unescaped(token.text.slice(at, -1));
}

/** What the constant of this name holds, where that is a text. */
function constantText(name: string, tokens: readonly Token[]): string | undefined {
  const at = tokens.findIndex(({ text }, index) => text === name && tokens[index - 1]?.text === 'const');
  const value = tokens[at + 2];
  return at >= 0 && value && tokens[at + 1]?.text === '=' ? filledText(value, tokens) : undefined;
}

function literalText(token: Token | undefined): string | undefined {
  return token?.kind === 'string' ? unescaped(token.text.slice(1, -1)) : undefined;
}

function unescaped(raw: string): string {
  return JSON.parse(`"${raw.replaceAll("\\'", "'").replaceAll(/\\?"/g, '\\"').replaceAll('\\`', '`')}"`);
}
