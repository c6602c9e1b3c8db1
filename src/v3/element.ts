import type { ZonedDate } from '../core/calendar.ts';
import { EMPTY_LIST_ROOT } from './assumptions.ts';

/**
 * One XML element as every decoder takes it and every encoder makes it. `text` is the character data directly inside,
 * entities resolved; it stays text until the field is known.
 */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  readonly text: string;
  /** Whether the root of a document, when it is empty, is written with a closing tag all the same. */
  readonly hasClosingTag?: true;
}

type Content = Element | undefined;

const NO_ATTRIBUTES: Readonly<Record<string, string>> = {};

/** An element with children; what is undefined is left out. */
export function parent(name: string, children: readonly Content[], attributes = NO_ATTRIBUTES): Element {
  return { name, attributes, children: children.filter((content) => content !== undefined), text: '' };
}

function leaf(name: string, text: string, type?: string): Element {
  return { name, attributes: type === undefined ? NO_ATTRIBUTES : { type }, children: [], text };
}

/** An element that is there and empty: a field that is blank, or to be cleared. */
export function empty(name: string): Element {
  return leaf(name, '');
}

export function textElement(name: string, text: string | undefined): Content {
  return text === undefined ? undefined : leaf(name, text);
}

export function integerElement(name: string, value: number | undefined): Content {
  return value === undefined ? undefined : leaf(name, String(value), 'integer');
}

/** A number or boolean of which recordings show no type attribute. */
export function untypedElement(name: string, value: number | boolean | undefined): Content {
  return value === undefined ? undefined : leaf(name, String(value));
}

export function booleanElement(name: string, value: boolean | undefined): Content {
  return value === undefined ? undefined : leaf(name, String(value), 'boolean');
}

export function floatElement(name: string, value: number | undefined): Content {
  return value === undefined ? undefined : leaf(name, String(value), 'float');
}

export function dateElement(name: string, date: ZonedDate | undefined, type = 'datetime'): Content {
  return date === undefined ? undefined : leaf(name, date.text, type);
}

/** The root of a document that is a list of tasks, notes, iterations or memberships: an empty one does not say of what (protocol.md, Proven since). */
export function listDocument(name: string, items: readonly Element[], attributes = NO_ATTRIBUTES): Element {
  return arrayElement(items.length === 0 ? EMPTY_LIST_ROOT : name, items, attributes);
}

/** A list, which always says that it is one (api-v3.md, Conventions). */
export function arrayElement(name: string, items: readonly Element[], attributes = NO_ATTRIBUTES): Element {
  return parent(name, items, { type: 'array', ...attributes });
}
