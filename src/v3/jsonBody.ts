import { replacedCharacters } from './assumptions.ts';
import type { Element } from './element.ts';
import { LIMITS } from './elementParser.ts';
import { XmlError } from './xmlError.ts';

/** Far more than a story has fields. */
const MAX_VALUES = 1_000;

/**
 * `{"story": {"name": …}}`, as some clients send, in the shape of the XML body called `root`; undefined when nothing of it is
 * there. A list is the text with commas that the XML holds, and null an empty element. Throws `XmlError` for what is no JSON,
 * nests too deeply or is too much.
 */
export function readJsonBody(text: string, root: string): Element | undefined {
  const value: unknown = fieldOf(parsed(text), root);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return new JsonElements().elementOf(root, value, 1);
}

function parsed(text: string): unknown {
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

class JsonElements {
  private values = 0;

  elementOf(name: string, value: unknown, depth: number): Element {
    this.values += 1;
    if (this.values > MAX_VALUES) throw new XmlError('This JSON document has too many values.');
    if (depth > LIMITS.depth) throw new XmlError('This JSON document is nested too deeply.');
    const isParent = typeof value === 'object' && value !== null && !Array.isArray(value);
    const children = isParent ? Object.entries(value).map(([key, field]) => this.elementOf(key, field, depth + 1)) : [];
    return { name, attributes: {}, children, text: isParent ? '' : checked(textOf(value)) };
  }
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.filter((item) => typeof item !== 'object').join(',');
  return value === null ? '' : String(value);
}

function checked(text: string): string {
  if (text.length > LIMITS.text) throw new XmlError('A text in this JSON document is too long.');
  return replacedCharacters(text);
}
