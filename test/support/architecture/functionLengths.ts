/** A function and how many lines it has from its name to its end. */
export interface FunctionLength {
  readonly name: string;
  readonly lines: number;
}

const DECLARED = /^(?<indent> *)(?:export )?(?:async )?function\*? (?<name>[\w$]+)/;
const METHOD =
  /^(?<indent> +)(?:(?:private|protected|public|static|async|override|get|set) )*\*?(?<name>#?[\w$]+)(?:<[^(]*>)?\(/;
const ARROW =
  /^(?<indent> *)(?:export |private |readonly |static )*(?:const )?(?<name>[\w$]+)(?:: [^=]+)? = (?:async )?(?:<[^(]*>)?\(/;
const STATEMENTS = new Set(['if', 'for', 'while', 'switch', 'catch', 'return', 'await', 'super']);

/** The functions, methods and named arrow functions of a file that biome has formatted: their end is told by its indent. */
export function functionLengths(text: string): readonly FunctionLength[] {
  const lines = text.split('\n');
  return lines.flatMap((line, first) => {
    const { indent, name } = (DECLARED.exec(line) ?? METHOD.exec(line) ?? ARROW.exec(line))?.groups ?? {};
    if (indent === undefined || name === undefined || STATEMENTS.has(name)) return [];
    const last = lastLine(lines, first, indent);
    return last === undefined ? [] : [{ name, lines: last - first + 1 }];
  });
}

/** Of the function that begins at `first`; undefined for what is none, such as a call over several lines. */
function lastLine(lines: readonly string[], first: number, indent: string): number | undefined {
  let isInBody = lines[first]?.endsWith('{') ?? false;
  for (let at = first + 1; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (!line.startsWith(indent) || /^\s/.test(line.slice(indent.length)) || line === indent) continue;
    const rest = line.slice(indent.length);
    if (isInBody) return rest === '}' || rest === '};' ? at : undefined;
    if (!rest.startsWith(')') || !rest.endsWith('{')) return undefined;
    isInBody = true;
  }
  return undefined;
}
