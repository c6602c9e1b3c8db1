/** A text that the source has translated, by the key under which VS Code looks it up. */
export interface TranslatableText {
  readonly key: string;
  readonly text: string;
  readonly path: string;
  readonly line: number;
  /** What the call gives for placeholders, as it stands there. */
  readonly values: readonly string[];
}

export interface FoundTexts {
  readonly texts: readonly TranslatableText[];
  /** Calls whose text is put together and which no bundle can have, as `path:line`. */
  readonly computed: readonly string[];
  /** Calls while a module loads, when no translations are set yet; likewise. */
  readonly early: readonly string[];
}

const CALL = /(?<![\w$.])(?:(?:\w+\.)?l10n\.)?t\(\s*(?!\w+: )/g;
const LITERAL = /(?:'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\$])*`)/y;
const ANY_LITERAL = /(?:'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)/y;
const ENDED = /\s*[,)]/y;
const WITH_COMMENT =
  /\{\s*message:\s*('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"),\s*comment:\s*('(?:\\.|[^'\\\n])*')\s*,?\s*\}/y;

/** What calls of `l10n.t` and `t` in a source file say. */
export function translatableTexts(path: string, source: string): FoundTexts {
  const texts: TranslatableText[] = [];
  const computed: string[] = [];
  const early: string[] = [];
  for (const { index, 0: call } of source.matchAll(CALL)) {
    const line = source.slice(0, index).split('\n').length;
    const found = textAt(source, index + call.length);
    if (found) texts.push({ ...found, path, line });
    else computed.push(`${path}:${line}`);
    if (!call.includes('l10n') && isAtTop(source.slice(0, index))) early.push(`${path}:${line}`);
  }
  return { texts, computed, early };
}

/** Whether a call belongs to a constant of its module, and not to a function in it. */
function isAtTop(before: string): boolean {
  const declared = before.search(
    /^(?:export )?const (?!.*^(?:export )?(?:const|let|class|async|function|interface|type)\b)/ms,
  );
  const rest = before.slice(declared);
  return declared >= 0 && !/=>|\bfunction\b|^}/m.test(rest);
}

function textAt(source: string, at: number): Omit<TranslatableText, 'path' | 'line'> | undefined {
  const literal = matchAt(LITERAL, source, at);
  if (literal) {
    const text = literalValue(literal[0]);
    const end = at + literal[0].length;
    return matchAt(ENDED, source, end) ? { key: text, text, values: argumentsAt(source, end) } : undefined;
  }
  const [whole, message, comment] = matchAt(WITH_COMMENT, source, at) ?? [];
  if (whole === undefined || message === undefined || comment === undefined) return undefined;
  const key = `${literalValue(message)}/${literalValue(comment)}`;
  return { key, text: literalValue(message), values: argumentsAt(source, at + whole.length) };
}

/** The arguments from a comma on, those of a list that is spread one by one; quotation marks within a placeholder's code are not met. */
function argumentsAt(source: string, at: number): readonly string[] {
  const found: string[] = [];
  let depth = 0;
  let start = at;
  for (let index = at; index < source.length; index += 1) {
    const literal = matchAt(ANY_LITERAL, source, index);
    if (literal) index += literal[0].length;
    const character = source.charAt(index);
    if ('([{'.includes(character)) depth += 1;
    if ((character === ',' && depth === 0) || ')]}'.includes(character)) {
      const argument = source.slice(start, index).trim();
      if (depth === 0 && argument !== '') found.push(argument);
      if (depth === 0 && character !== ',') break;
      if (character === ',') start = index + 1;
      else depth -= 1;
    }
  }
  return found.flatMap((one) => (one.startsWith('...[') ? argumentsAt(`${one.slice(4, -1)})`, 0) : [one]));
}

function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source) ?? undefined;
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t' };

function literalValue(literal: string): string {
  return literal
    .slice(1, -1)
    .replace(/\\(?:u([\da-f]{4})|(.))/gi, (_, code: string | undefined, escaped: string) =>
      code === undefined ? (ESCAPED[escaped] ?? escaped) : String.fromCharCode(Number.parseInt(code, 16)),
    );
}
