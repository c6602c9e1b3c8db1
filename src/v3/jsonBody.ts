import { MAX_FIELDS, MAX_PARAMETERS } from '../core/limits.ts';
import { replacedCharacters } from './assumptions.ts';
import type { Element } from './element.ts';
import { LIMITS } from './elementParser.ts';
import { XmlError } from './xmlError.ts';

/**
 * `{"story": {"name": …}}`, as some clients send, in the shape of the XML body called `root`; undefined when nothing of it is
 * there. A list is the text with commas that the XML holds, and null an empty element. Throws `XmlError` for what is no JSON,
 * nests too deeply or is too much.
 */
export function readJsonBody(text: string, root: string): Element | undefined {
  const value: unknown = fieldOf(parsed(text), root);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return elementOf(root, value, { count: 0 });
}

/**
 * Throws `XmlError` when a JSON document nests too deeply or has more values than these: short ones of that kind take hundreds of
 * times their size and hold the thread. Whether it is JSON at all is for `JSON.parse` to say.
 */
export function refuseWideJson(text: string, mostValues: number): void {
  let depth = 0;
  let values = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') isInString = !isInString;
    else if (isInString) at += character === '\\' ? 1 : 0;
    else if (character === '[' || character === '{') {
      depth += 1;
      values += 1;
    } else if (character === ']' || character === '}') depth -= 1;
    else if (character === ',') values += 1;
    if (depth > LIMITS.depth) throw new XmlError('This JSON document is nested too deeply.');
    if (values > mostValues) throw new XmlError('This JSON document has too many values.');
  }
}

function parsed(text: string): unknown {
  refuseWideJson(text, MAX_PARAMETERS);
  try {
    return JSON.parse(text);
  } catch {
    throw new XmlError('This body begins as JSON does and is none.');
  }
}

function fieldOf(value: unknown, name: string): unknown {
  const isField = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return isField ? Reflect.get(value, name) : undefined;
}

function elementOf(name: string, value: unknown, fields: { count: number }): Element {
  fields.count += 1;
  if (fields.count > MAX_FIELDS) throw new XmlError('This JSON document has too many fields.');
  const isParent = typeof value === 'object' && value !== null && !Array.isArray(value);
  const children = isParent ? Object.entries(value).map(([key, field]) => elementOf(key, field, fields)) : [];
  return { name, attributes: {}, children, text: isParent ? '' : checked(textOf(value)) };
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.filter((item) => typeof item !== 'object').join(',');
  return value === null ? '' : String(value);
}

function checked(text: string): string {
  if (text.length > LIMITS.text) throw new XmlError('A text in this JSON document is too long.');
  return replacedCharacters(text);
}
