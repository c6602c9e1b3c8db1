import { EMPTY_LIST_ROOT } from './assumptions.ts';
import type { Element } from './element.ts';
import { child } from './fields.ts';
import { XmlError } from './xmlError.ts';

/** The items of a list inside `element`; none when the list is not there. */
export function readChildList<T>(
  element: Element,
  name: string,
  item: string,
  read: (item: Element) => T,
): readonly T[] {
  const list = child(element, name);
  return list ? itemsOf(list, item, read) : [];
}

/** Throws `XmlError` when the root is neither the list called `name` nor an empty one. */
export function expectList(root: Element, name: string): void {
  if (root.name === name || (root.name === EMPTY_LIST_ROOT && root.children.length === 0)) return;
  throw new XmlError(`This XML document is about "${root.name}", and a list of ${name} was expected.`);
}

function itemsOf<T>(list: Element, item: string, read: (item: Element) => T): readonly T[] {
  const items: T[] = [];
  for (const element of list.children) {
    if (element.name === item) items.push(read(element));
  }
  return items;
}

/** What a list that is part of a longer one says of itself (*ours*; not shown: lists of comments or tasks in parts). */
export interface PartFacts {
  readonly total: number;
  readonly limit?: number;
  readonly offset?: number;
}

export function partAttributes(count: number, facts: PartFacts | undefined): Readonly<Record<string, string>> {
  const told = facts ? Object.entries({ count, ...facts }) : [];
  return Object.fromEntries(told.map(([name, value]) => [name, String(value)]));
}
