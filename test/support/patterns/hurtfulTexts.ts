import { type PatternNode, patternTree } from './patternTree.ts';

/** A text of about so many characters. */
export type GrowingText = (length: number) => string;

/** Characters that patterns tell apart, besides those that they name themselves. */
const USUAL = [...'azAZ059 \t\n\r\u00a0\u0301éß中😀"\'`-_.,;:/\\()[]{}<>=#@*+!&%|~$^?\u0001\u2028–：'];
/** Repeats of fewer are as good as none. */
const MANY = 500;
const MOST_PUMPED = 6;
const MOST_PAIRED = 20;

/** One kind of repeat without end, and what has to stand before it so that it is reached. */
interface Endless {
  readonly before: string;
  readonly bodies: readonly string[];
}

/**
 * Texts made to hurt a regular expression, each by its beginning and end so that no two are alike: runs of what every repeat without
 * end takes, behind what leads there, ended by what makes it fail; runs of the beginning itself, of two repeats one after the other; and
 * runs and pairs of every kind of character that the pattern tells apart.
 */
export function hurtfulTexts(source: string, flags: string): readonly GrowingText[] {
  const { root, groups } = patternTree(source);
  const sets = setsOf(root);
  const kinds = kindsOfCharacters(source, sets, flags);
  const samples = new Map(sets.map((set) => [set, kinds.filter((kind) => holds(set, kind, flags))]));
  const witness = (node: PatternNode, isWhole: boolean): string => {
    if (node.kind === 'characters') return samples.get(node.source)?.[0] ?? 'x';
    if (node.kind === 'row') return node.items.map((item) => witness(item, isWhole)).join('');
    if (node.kind === 'choice') return witness(node.options.at(isWhole ? -1 : 0) ?? node, isWhole);
    if (node.kind === 'repeat')
      return witness(node.body, isWhole).repeat(Math.min(Math.max(node.least, isWhole ? 1 : 0), node.most));
    if (node.kind === 'back') return witness(groups.get(node.group) ?? { kind: 'look' }, isWhole);
    return '';
  };
  const bodiesOf = (node: PatternNode): readonly string[] => {
    if (node.kind === 'characters') return samples.get(node.source) ?? [];
    if (node.kind === 'choice') return node.options.flatMap(bodiesOf);
    const inner =
      node.kind === 'row' ? node.items.flatMap(bodiesOf) : node.kind === 'repeat' ? bodiesOf(node.body) : [];
    return [witness(node, false), witness(node, true), ...inner].filter((text) => text !== '');
  };
  const endless: Endless[] = [];
  const walk = (node: PatternNode, before: string, isWhole: boolean): void => {
    if (node.kind === 'repeat' && node.most > MANY) {
      endless.push({ before, bodies: [...new Set(bodiesOf(node.body))].slice(0, MOST_PUMPED) });
    }
    if ((node.kind === 'repeat' || node.kind === 'look') && node.body) walk(node.body, before, isWhole);
    if (node.kind === 'choice') for (const option of node.options) walk(option, before, isWhole);
    if (node.kind !== 'row') return;
    let lead = before;
    for (const item of node.items) {
      walk(item, lead, isWhole);
      lead += witness(item, isWhole);
    }
  };
  for (const isWhole of [false, true]) walk(root, '', isWhole);
  return unlike([...endless.flatMap((one) => pumped(one, kinds)), ...inPairs(endless), ...ofKinds(kinds)]);
}

/** Every set of characters that a pattern names, as it names it. */
function setsOf(node: PatternNode): readonly string[] {
  if (node.kind === 'characters') return [node.source];
  if (node.kind === 'row') return [...new Set(node.items.flatMap(setsOf))];
  if (node.kind === 'choice') return [...new Set(node.options.flatMap(setsOf))];
  return node.kind === 'back' || !node.body ? [] : setsOf(node.body);
}

/** One character of each kind: those of one kind are in the same sets, so that no text with one hurts more than with another. */
function kindsOfCharacters(source: string, sets: readonly string[], flags: string): readonly string[] {
  const kinds = new Map<string, string>();
  for (const character of new Set([...USUAL, ...source])) {
    const kind = sets.map((set) => Number(holds(set, character, flags))).join('');
    if (!kinds.has(kind)) kinds.set(kind, character);
  }
  return [...kinds.values()];
}

function holds(set: string, character: string, flags: string): boolean {
  return new RegExp(`^${set}$`, flags.replaceAll(/[gym]/g, '')).test(character);
}

function pumped({ before, bodies }: Endless, kinds: readonly string[]): readonly GrowingText[] {
  const ends = ['', ...kinds];
  return bodies.flatMap((body) => [
    ...ends.map(
      (end): GrowingText =>
        (length) =>
          before + run(body, length) + end,
    ),
    ...ends.map(
      (end): GrowingText =>
        (length) =>
          end + before + run(body, length) + end,
    ),
    ...ends.map(
      (end): GrowingText =>
        (length) =>
          run(before + body, length) + end,
    ),
    (length: number) => run(before, length / 2) + run(body, length / 2),
  ]);
}

/** One repeat after another. */
function inPairs(endless: readonly Endless[]): readonly GrowingText[] {
  return endless.flatMap((one) =>
    endless.flatMap((other) =>
      one.bodies.slice(0, 2).flatMap((body) =>
        other.bodies.slice(0, 2).map((next): GrowingText => {
          const between = other.before.startsWith(one.before) ? other.before.slice(one.before.length) : other.before;
          return (length) => `${one.before}${run(body, length / 2)}${between}${run(next, length / 2)}\u0001`;
        }),
      ),
    ),
  );
}

function ofKinds(all: readonly string[]): readonly GrowingText[] {
  const kinds = all.slice(0, MOST_PAIRED);
  return kinds.flatMap((one) =>
    kinds.flatMap((other): GrowingText[] => [
      (length) => other + run(one, length) + other,
      (length) => run(one + other, length),
      (length) => run(one, length / 2) + run(other, length / 2),
    ]),
  );
}

function run(text: string, length: number): string {
  return text === '' ? '' : text.repeat(Math.max(1, length / text.length));
}

function unlike(texts: readonly GrowingText[]): readonly GrowingText[] {
  const seen = new Map(texts.map((text) => [text(16), text]));
  return [...seen.values()];
}
