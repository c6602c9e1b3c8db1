import * as limits from '../../../../src/core/limits.ts';
import type { Seeded } from '../../../support/measures/seeded.ts';

interface Kind {
  /** What is repeated: one of these, since a run of one is what patterns stumble over. */
  readonly units: readonly string[];
  /** Ends the text, so that what began well turns out wrong at the end only. */
  readonly end: string;
}

/** Texts on which work grows by the square where it is done carelessly. */
export const textKinds = {
  digits: { units: ['1', '0', '9.', '٣'], end: 'x' },
  marks: { units: ['\u0301\u0323', '\u0345\u0301', '\u05B0\u05B1', '\u0F71\u0F72'], end: 'a' },
  separators: { units: [',', ', ', '-', ' - ', ';', '&', '/', '.', ':', '=', '|', '--'], end: 'x' },
  brackets: { units: ['[', '[#', '(', '{', '<', '"', '[]', '[#1 ', '](', '&#'], end: 'x' },
  space: { units: [' ', '\t', '\n', '\r\n', '\u00A0', '\u3000', ' \n'], end: 'x' },
} as const satisfies Record<string, Kind>;

export type TextKind = keyof typeof textKinds;
export const kindNames = Object.keys(textKinds) as TextKind[];

/** Characters of a text in a body: the most that goes through, and more. */
export const MOST = 4_000_000;

/** Of every limit there is, as long as it allows and one more. */
export const lengths: readonly number[] = [
  ...new Set(Object.values(limits).flatMap((limit) => (typeof limit === 'number' ? [limit, limit + 1] : []))),
].filter((length) => length < MOST);

/** A text that is made when it is asked for: thousands of them are planned at once. */
export class HostileText {
  readonly kind: TextKind;
  readonly length: number;
  private readonly unit: string;

  constructor(chance: Seeded, kind: TextKind, length: number) {
    this.kind = kind;
    this.length = length;
    this.unit = chance.of<string>(textKinds[kind].units) ?? '';
  }

  get what(): string {
    return `${this.length} ${this.kind} (${JSON.stringify(this.unit)})`;
  }

  get text(): string {
    const { unit, length } = this;
    const { end } = textKinds[this.kind];
    return unit.repeat(Math.ceil(length / unit.length)).slice(0, Math.max(0, length - end.length)) + end;
  }
}

/** As an element or an attribute holds it: what XML has no place for is left out. */
export function inXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** Cut so that it takes no more room in an address than there is in the head of a request. */
export function inAddress(text: string, room: number): string {
  const encoded = encodeURIComponent(text.slice(0, room).toWellFormed());
  return encoded.slice(0, room).replace(/%.?$/, '');
}

/** As a header can hold it: bytes, none of which ends the line. */
export function inHeader(text: string, room: number): string {
  return Buffer.from(text.slice(0, room))
    .toString('latin1')
    .slice(0, room)
    .replace(/[\r\n\0]/g, ' ');
}
