import { underscoredName } from './assumptions.ts';
import type { Element } from './element.ts';

/** What a client sent, with the names that the document uses. */
export function withUnderscores(element: Element): Element {
  const { name, children } = element;
  return { ...element, name: underscoredName(name), children: children.map(withUnderscores) };
}
