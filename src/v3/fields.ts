import type { ZonedDate } from '../core/calendar.ts';
import { MAX_NUMBER } from '../core/limits.ts';
import { readZonedDate } from './dates.ts';
import type { Element } from './element.ts';
import { XmlError } from './xmlError.ts';

type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The same fields without those that are undefined. */
export function present<T extends object>(fields: T): Present<T> {
  const kept: Partial<T> = {};
  for (const key in fields) {
    if (fields[key] !== undefined) kept[key] = fields[key];
  }
  return kept as unknown as Present<T>;
}

export function child(element: Element, name: string): Element | undefined {
  for (const candidate of element.children) {
    if (candidate.name === name) return candidate;
  }
  return undefined;
}

/** The text of a child as it is, white space included; undefined when there is no such child. */
export function rawText(element: Element, name: string): string | undefined {
  return child(element, name)?.text;
}

/** The text of a child; undefined also when it is empty or blank. */
export function filledText(element: Element, name: string): string | undefined {
  const text = rawText(element, name);
  return text === undefined || text.trim() === '' ? undefined : text;
}

/** A word of the protocol (a state, a type, a role), without the white space around it. */
export function word(element: Element, name: string): string | undefined {
  return filledText(element, name)?.trim();
}

/** A whole number; throws `XmlError` when the child holds anything else. */
export function integer(element: Element, name: string): number | undefined {
  const text = shortWord(element, name, 'a whole number');
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^[+-]?\d+$/.test(text) || !Number.isSafeInteger(value)) throw unexpected(name, 'a whole number', text);
  return value === 0 ? 0 : value;
}

/** Any number in decimal notation; throws `XmlError` when the child holds anything else. */
export function decimal(element: Element, name: string): number | undefined {
  const text = shortWord(element, name, 'a number');
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) || !Number.isFinite(value)) {
    throw unexpected(name, 'a number', text);
  }
  return value === 0 ? 0 : value;
}

/** `true` or `false` (or 1 or 0); throws `XmlError` when the child holds anything else. */
export function boolean(element: Element, name: string): boolean | undefined {
  const text = shortWord(element, name, 'true or false')?.toLowerCase();
  if (text === undefined) return undefined;
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw unexpected(name, 'true or false', text);
}

export function date(element: Element, name: string): ZonedDate | undefined {
  const raw = rawText(element, name) ?? '';
  const text = raw.length > MAX_NUMBER ? raw : raw.trim();
  return text === '' ? undefined : readZonedDate(text);
}

/** A comma-separated list. */
export function words(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** A comma-separated list of numbers; NaN for each piece that is none. */
export function numbers(text: string): readonly number[] {
  return text.split(',').flatMap((piece) => {
    if (piece.length > MAX_NUMBER) return [Number.NaN];
    return piece.trim() === '' ? [] : [Number(piece)];
  });
}

/** The whole number every resource has; throws `XmlError` when it is missing. */
export function id(element: Element): number {
  const value = integer(element, 'id');
  if (value === undefined) throw new XmlError(`The element "${element.name}" has no "id".`);
  return value;
}

/** Throws `XmlError` when a document is about something else. */
export function expectRoot(element: Element, name: string): void {
  if (element.name !== name) {
    throw new XmlError(`This XML document is about "${shortened(element.name)}", and "${name}" was expected.`);
  }
}

/** A word that is always short, such as a number; throws `XmlError` for a longer one before anything else looks at it. */
export function shortWord(element: Element, name: string, kind: string): string | undefined {
  const text = rawText(element, name);
  if (text !== undefined && text.length > MAX_NUMBER) throw unexpected(name, kind, text);
  return word(element, name);
}

function unexpected(name: string, kind: string, text: string): XmlError {
  return new XmlError(`The element "${name}" should hold ${kind}, and holds "${shortened(text)}".`);
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
