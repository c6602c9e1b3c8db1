import { posix } from 'node:path';
import { functionLengths } from './functionLengths.ts';
import { importCycles } from './importCycles.ts';
import { exportedNames, type TakenNames, takenNames } from './moduleExports.ts';
import { type ImportGraph, importGraph } from './moduleImports.ts';
import { type Room, roots } from './rooms.ts';

/** How large the files of `src` are and how they hang together. */
export interface HouseFigures {
  readonly files: number;
  readonly lines: number;
  /** Lines of the file in the middle when they are ordered by length. */
  readonly medianLines: number;
  /** Files that exactly one other file of `src` imports, for its types or later at run time included. */
  readonly withOneImporter: number;
  /** Files of at most `SHORT_LINES` lines. */
  readonly short: number;
  readonly rings: readonly string[];
  readonly longestFunction: { readonly path: string; readonly name: string; readonly lines: number } | undefined;
  /** Exports that nothing imports but a test, as `path name`. Scripts draw and measure what ships, so what they import is used. */
  readonly testOnlyExports: readonly string[];
  /** Exports that nothing imports at all, as `path name`. */
  readonly deadExports: readonly string[];
}

/** A file is short up to this many lines. */
const SHORT_LINES = 15;

/** The figures of `src`; `sources` holds texts by path from the top of the project, with the tests and scripts that use `src`. */
export function houseFigures(sources: ReadonlyMap<string, string>): HouseFigures {
  const product = new Map([...sources].filter(([path]) => path.startsWith('src/')));
  const graph = importGraph(product);
  const lengths = [...product.values()].map((text) => text.split('\n').length - 1).toSorted((a, b) => a - b);
  const functions = [...product].flatMap(([path, text]) => functionLengths(text).map((one) => ({ path, ...one })));
  return {
    files: product.size,
    lines: lengths.reduce((sum, lines) => sum + lines, 0),
    medianLines: lengths[Math.floor(lengths.length / 2)] ?? 0,
    withOneImporter: [...importers(graph).values()].filter((all) => all.size === 1).length,
    short: lengths.filter((lines) => lines <= SHORT_LINES).length,
    rings: importCycles(graph),
    longestFunction: functions.toSorted((one, other) => other.lines - one.lines)[0],
    ...unusedExports(sources),
  };
}

/** The figures as aligned lines for a person, with the rooms and their parts. */
export function figureLines(figures: HouseFigures, rooms: Readonly<Record<string, Room>>): readonly string[] {
  const { longestFunction: longest, rings } = figures;
  const share = Math.round((100 * figures.withOneImporter) / Math.max(1, figures.files));
  return aligned([
    ['Files', `${figures.files}`],
    ['Lines', `${figures.lines}, median ${figures.medianLines} per file`],
    ['Files with one importer', `${figures.withOneImporter} (${share} %)`],
    [`Files of ${SHORT_LINES} lines or fewer`, `${figures.short}`],
    ['Longest function', longest ? `${longest.name}, ${longest.lines} lines, in ${longest.path}` : 'none'],
    ['Rings of imports', rings.length === 0 ? 'none' : rings.join('; ')],
    ['Exports for tests only', `${figures.testOnlyExports.length}`],
    ['Exports nothing imports', `${figures.deadExports.length}`],
    ...Object.entries(rooms).map(([name, { parts = [] }]) => [`Room ${name}`, parts.join(' < ') || '(no parts)']),
  ]);
}

function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const width = Math.max(...rows.map(([name = '']) => name.length));
  return rows.map(([name = '', value = '']) => `${name.padEnd(width)} ${value}`);
}

/** By path, who imports it. */
function importers(graph: ImportGraph): ReadonlyMap<string, ReadonlySet<string>> {
  const all = new Map<string, Set<string>>([...graph.keys()].map((path) => [path, new Set()]));
  for (const [path, imports] of graph)
    for (const { target } of imports) if (target !== path) all.get(target)?.add(path);
  return all;
}

function unusedExports(sources: ReadonlyMap<string, string>) {
  const takersOf = new Map<string, Taker[]>([...sources.keys()].map((path) => [path, []]));
  const wordsOf = new Map<string, ReadonlySet<string>>();
  for (const [path, text] of sources) {
    wordsOf.set(path, new Set(text.match(/[\w$]+/g)));
    for (const [address, taken] of takenNames(text)) {
      takersOf.get(posix.join(posix.dirname(path), address))?.push({ ...taken, path });
    }
  }
  // A module taken as a whole may be handed on, so that the names are mentioned where its taker is imported.
  const mentions = (path: string, name: string) =>
    [path, ...(takersOf.get(path) ?? []).map((next) => next.path)].some((one) => wordsOf.get(one)?.has(name));
  const testOnlyExports: string[] = [];
  const deadExports: string[] = [];
  for (const [path, text] of sources) {
    if (!path.startsWith('src/') || roots.includes(path)) continue;
    for (const name of exportedNames(text)) {
      const takers = (takersOf.get(path) ?? []).filter(
        (taker) => taker.names.has(name) || (taker.isWhole && mentions(taker.path, name)),
      );
      if (takers.some((taker) => !taker.path.startsWith('test/'))) continue;
      (takers.length > 0 ? testOnlyExports : deadExports).push(`${path} ${name}`);
    }
  }
  return { testOnlyExports, deadExports };
}

interface Taker extends TakenNames {
  readonly path: string;
}
