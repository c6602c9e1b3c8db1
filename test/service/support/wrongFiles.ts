import { parse } from 'csv-parse/sync';
import { csvLine } from '../../../src/service/transfer/csv/csvCells.ts';
import type { Element } from '../../../src/v3/element.ts';
import { readText } from '../../../src/v3/read.ts';
import type { Seeded } from '../../support/measures/seeded.ts';
import { noise, wrongText } from './wrongValues.ts';

/** A file that an import is given: an export of a project with something wrong wherever something can be. */
export interface WrongFile {
  readonly type: 'text/csv' | 'application/xml';
  readonly bytes: Buffer;
}

/** One in so many texts, elements or cells is another one. */
const RARENESS = [8, 30, 120];
/** How often an element or a row is repeated, at most. */
const REPEATED = [2, 5, 150];

/** What comes of an export in XML. */
export function wrongXml(chance: Seeded, exported: string): WrongFile {
  const rareness = chance.of(RARENESS) ?? 30;
  const text = chance.chance(8) ? noise(chance, 400) : `${xmlOf(withWrongs(chance, readText(exported), rareness))}`;
  return { type: 'application/xml', bytes: wrongBytes(chance, text) };
}

/** What comes of an export in CSV. */
export function wrongCsv(chance: Seeded, exported: string): WrongFile {
  const rareness = chance.of(RARENESS) ?? 30;
  const rows: string[][] = parse(exported, { relax_column_count: true });
  const wrong = rows.flatMap((cells, index) => {
    const some = cells.map((cell) => (chance.chance(index === 0 ? rareness * 8 : rareness) ? wrongText(chance) : cell));
    if (chance.chance(40)) some.splice(chance.below(some.length), 1);
    if (chance.chance(40)) some.push(wrongText(chance));
    return Array.from({ length: timesOf(chance, rareness) }, () => some);
  });
  const delimiter = chance.chance(6) ? (chance.of([';', '\t', '|']) ?? ',') : ',';
  const lines = wrong.map((cells) => (delimiter === ',' ? csvLine(cells) : `${cells.join(delimiter)}\n`));
  const head = chance.chance(10) ? (chance.of(['sep=,\n', 'sep=;\n', '\uFEFF', '\n\n', '"']) ?? '') : '';
  return { type: 'text/csv', bytes: wrongBytes(chance, head + lines.join('')) };
}

function withWrongs(chance: Seeded, element: Element, rareness: number): Element {
  const children = element.children.flatMap((child) => {
    const wrong = withWrongs(chance, child, rareness);
    return Array.from({ length: timesOf(chance, rareness * 4) }, () => wrong);
  });
  const isLeaf = element.children.length === 0;
  const text = chance.chance(isLeaf ? rareness : rareness * 8) ? wrongText(chance) : element.text;
  const name = chance.chance(rareness * 20) ? (chance.of(['a', 'story', 'note', 'id', 'name']) ?? 'a') : element.name;
  return { ...element, name, text, children };
}

/** Mostly once; sometimes not at all, or again and again. */
function timesOf(chance: Seeded, rareness: number): number {
  if (!chance.chance(rareness)) return 1;
  return chance.chance(2) ? 0 : (chance.of(REPEATED) ?? 2);
}

/** Text and children mix here. */
function xmlOf({ name, attributes, children, text }: Element): string {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  return `<${name}${given.join('')}>${escaped(text)}${children.map(xmlOf).join('')}</${name}>`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
    .replace(/[^\t\n\r -\uD7FF\uE000-\uFFFD]/g, '?');
}

function wrongBytes(chance: Seeded, text: string): Buffer {
  const encoding = chance.chance(15) ? (chance.of(['utf16le', 'latin1'] as const) ?? 'utf8') : 'utf8';
  const bytes = Buffer.from(text, encoding);
  return chance.chance(12) ? bytes.subarray(0, chance.below(bytes.length + 1)) : bytes;
}
