import { type Element, integerElement, parent, textElement } from './element.ts';
import { integer, present, word } from './fields.ts';
import { XmlError } from './xmlError.ts';

/** The answer of `/tokens/active`. */
interface Token {
  /** What goes into the token header. */
  readonly guid: string;
  readonly id?: number;
}

/** Throws `XmlError` when the answer holds no token. */
export function readToken(element: Element): Token {
  const guid = word(element, 'guid');
  if (guid === undefined) throw new XmlError('The element "token" has no "guid".');
  return present({ guid, id: integer(element, 'id') });
}

export function tokenElement(token: Token): Element {
  return parent('token', [textElement('guid', token.guid), integerElement('id', token.id)]);
}
