/** A part of a regular expression, as far as it matters for what texts it looks at. */
export type PatternNode =
  | { readonly kind: 'characters'; readonly source: string }
  | { readonly kind: 'row'; readonly items: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly body: PatternNode; readonly least: number; readonly most: number }
  /** What takes no characters away: with a body it looks at what comes before or after. */
  | { readonly kind: 'look'; readonly body?: PatternNode }
  | { readonly kind: 'back'; readonly group: string };

export interface PatternTree {
  readonly root: PatternNode;
  /** By number and, where they have one, by name. */
  readonly groups: ReadonlyMap<string, PatternNode>;
}

const GROUP = /\((?:\?(?:<(?<name>\w+)>|(?<kind><?[=!]|[a-z-]*:)))?/y;
const CLASS = /\[(?:[^\]\\]|\\[\s\S])*\]/y;
const ESCAPED =
  /\\(?:k<(?<group>\w+)>|(?<number>[1-9]\d*)|u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|[pP]\{[^}]*\}|c[a-z]|[\s\S])/iy;
const TIMES = /(?:(?<sign>[*+?])|\{(?<least>\d+)(?:(?<open>,)(?<most>\d*))?\})\??/y;
const ONE = /[\s\S]/uy;

/** Takes a regular expression apart. Throws for what it does not know. */
export function patternTree(source: string): PatternTree {
  const groups = new Map<string, PatternNode>();
  let count = 0;
  let at = 0;
  const taken = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(source) ?? undefined;
    at += found?.[0].length ?? 0;
    return found;
  };
  const choice = (): PatternNode => {
    const options = [row()];
    while (source[at] === '|') {
      at += 1;
      options.push(row());
    }
    const [only] = options;
    return only && options.length === 1 ? only : { kind: 'choice', options };
  };
  const row = (): PatternNode => {
    const items: PatternNode[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') items.push(repeated(part()));
    return { kind: 'row', items };
  };
  const repeated = (body: PatternNode): PatternNode => {
    const times = taken(TIMES)?.groups;
    if (!times) return body;
    const { sign, least = sign === '+' ? '1' : '0', open, most = '' } = times;
    const upTo =
      sign === '?' ? 1 : sign !== undefined || (open !== undefined && most === '') ? Infinity : Number(most || least);
    return { kind: 'repeat', body, least: Number(least), most: upTo };
  };
  const part = (): PatternNode => {
    const opened = taken(GROUP);
    if (opened) return group(opened.groups ?? {});
    const characters = taken(CLASS);
    if (characters) return { kind: 'characters', source: characters[0] };
    if (source[at] === '^' || source[at] === '$') {
      at += 1;
      return { kind: 'look' };
    }
    const escaped = taken(ESCAPED);
    if (!escaped) return { kind: 'characters', source: taken(ONE)?.[0] ?? '' };
    const { group: name, number } = escaped.groups ?? {};
    if (name !== undefined || number !== undefined) return { kind: 'back', group: name ?? number ?? '' };
    return /^\\b/i.test(escaped[0]) ? { kind: 'look' } : { kind: 'characters', source: escaped[0] };
  };
  const group = ({ name, kind }: Readonly<Record<string, string | undefined>>): PatternNode => {
    const number = kind === undefined ? ++count : 0;
    const body = choice();
    if (source[at] !== ')') throw new Error(`A group of ${source} is never closed.`);
    at += 1;
    if (kind?.endsWith('=') || kind?.endsWith('!')) return { kind: 'look', body };
    if (number > 0) groups.set(String(number), body);
    if (name !== undefined) groups.set(name, body);
    return body;
  };
  const root = choice();
  if (at < source.length) throw new Error(`What does ${source} mean from character ${at} on?`);
  return { root, groups };
}
