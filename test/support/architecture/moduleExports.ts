/** What one module takes from another. */
export interface TakenNames {
  /** As the other module exports them. */
  readonly names: ReadonlySet<string>;
  /** Whether it takes the module as a whole, and uses what its own text mentions. */
  readonly isWhole: boolean;
}

const COMMENT = /^\s*(?:\/\/|\/?\*).*$/gm;
const DECLARED =
  /^export (?:async |abstract |declare )*(?:function\*?|class|const enum|const|let|enum|interface|type) (?<name>[\w$]+)/gm;
const NAMED = /^export (?:type )?\{(?<names>[^}]*)\}/gm;
const TAKEN = /^(?:import|export)\s+(?:type\s+)?(?<clause>\{[^}]*\}|[^'"{;]*?)\s*from\s+'(?<from>[^']+)'/gm;
const CALLED = /\bimport\(\s*'(?<from>[^']+)'/g;

/** The names that a module exports, in the order of its text; those of `export *` are not known here. */
export function exportedNames(text: string): readonly string[] {
  const code = text.replace(COMMENT, '');
  const declared = [...code.matchAll(DECLARED)].map(({ groups }) => groups?.name ?? '');
  const named = [...code.matchAll(NAMED)].flatMap(({ groups }) =>
    parts(groups?.names ?? '').map(([, outside]) => outside),
  );
  return [...new Set([...declared, ...named])];
}

/** What a module takes from each other module, by the address it writes (`./story.ts`). */
export function takenNames(text: string): ReadonlyMap<string, TakenNames> {
  const code = text.replace(COMMENT, '');
  const taken = new Map<string, { readonly names: Set<string>; isWhole: boolean }>();
  const takenFrom = (from: string) => {
    const present = taken.get(from) ?? { names: new Set<string>(), isWhole: false };
    taken.set(from, present);
    return present;
  };
  for (const { groups: { clause = '', from = '' } = {} } of code.matchAll(TAKEN)) {
    const other = takenFrom(from);
    if (clause.startsWith('{')) for (const [inside] of parts(clause.slice(1, -1))) other.names.add(inside);
    else if (clause.includes('*')) other.isWhole = true;
    else other.names.add('default');
  }
  for (const { groups: { from = '' } = {} } of code.matchAll(CALLED)) takenFrom(from).isWhole = true;
  return taken;
}

/** Of `a, type B as C`: what a name is called where it is declared, and what it is called outside. */
function parts(names: string): readonly (readonly [inside: string, outside: string])[] {
  return names
    .split(',')
    .map((part) => part.replace(/^\s*type\s+/, '').trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [inside = '', outside = inside] = part.split(/\s+as\s+/);
      return [inside, outside];
    });
}
