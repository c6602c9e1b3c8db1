import type { Element } from './element.ts';
import { DECLARATION, writeElement } from './write.ts';

/** An element that holds so many others that it is written one after the other of them; its text does not matter. */
export interface LongElement {
  /** With those children that come before the many. */
  readonly start: Element;
  readonly items: Iterable<LongElement | Item>;
  /** What is written instead where there are no items; `start` when left out. */
  readonly empty?: Element;
}

/** One of which the items are read some at a time: `next` is awaited before each piece of it is asked for. */
export interface ComingElement extends LongElement {
  next(): Promise<void>;
}

/** Gives the text of one of many elements, as `writeElement` would. */
export type Item = (depth: number) => string;

export function isLong(element: Element | LongElement): element is LongElement {
  return 'items' in element;
}

/** The items one by one, each made when its turn comes. */
export function* lazily<T, U>(items: Iterable<T>, make: (item: T) => U): Generator<U, void> {
  for (const item of items) yield make(item);
}

/** The document that `writeDocument` would write, in pieces: each is the text of one item, or what stands around some. */
export function* longDocument(root: LongElement): Generator<string, void> {
  yield DECLARATION;
  yield* piecesOf(root, 0);
  yield '\n';
}

function* piecesOf({ start, items, empty = start }: LongElement, depth: number): Generator<string, void> {
  let isOpen = false;
  const [open, close] = tagsAround(start, depth);
  for (const item of items) {
    if (!isOpen) yield open;
    isOpen = true;
    if (typeof item === 'function') yield item(depth + 1);
    else yield* piecesOf(item, depth + 1);
  }
  yield isOpen ? close : writeElement(empty, depth);
}

const HOLE: Element = { name: 'hole', attributes: {}, children: [], text: '' };

type Tags = readonly [string, string];
const knownTags = new WeakMap<Element, Tags[]>();

/** What stands before and behind the further children of an element; one that starts many lists is written once. */
function tagsAround(element: Element, depth: number): Tags {
  const known = knownTags.get(element) ?? [];
  knownTags.set(element, known);
  known[depth] ??= writtenAround(element, depth);
  return known[depth];
}

function writtenAround(element: Element, depth: number): Tags {
  const text = writeElement({ ...element, children: [...element.children, HOLE] }, depth);
  const hole = writeElement(HOLE, depth + 1);
  const at = text.lastIndexOf(hole);
  return [text.slice(0, at), text.slice(at + hole.length)];
}
