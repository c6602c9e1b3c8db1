import type { FieldError } from '../core/errors.ts';
import { ERROR_FIELD_ATTRIBUTE } from './assumptions.ts';
import { type Element, parent } from './element.ts';
import { readText } from './read.ts';
import { XmlError } from './xmlError.ts';

const LONGEST_ANSWER = 256 * 1024;

/** The sentences of an error answer in any of the shapes of protocol.md (`errors/error`, `message`); none from another root. */
function readErrorList(root: Element): readonly string[] {
  if (root.name === 'errors') return sentences(root.children.filter((child) => child.name === 'error'));
  return root.name === 'message' ? sentences([root]) : [];
}

/** The same of a body as it came; none when it is not XML. */
export function errorSentences(body: Uint8Array | string): readonly string[] {
  const root = rootOf(body);
  return root ? readErrorList(root) : [];
}

/** What an error answer as it came says of single elements of the request; nothing when it is not XML. */
export function fieldErrors(body: Uint8Array | string): readonly FieldError[] {
  const root = rootOf(body);
  if (root?.name !== 'errors') return [];
  return root.children.flatMap(({ name, text, attributes }) => {
    const field = attributes[ERROR_FIELD_ATTRIBUTE] ?? '';
    return name === 'error' && field !== '' ? [{ field, sentence: text.trim() }] : [];
  });
}

function rootOf(body: Uint8Array | string): Element | undefined {
  try {
    return readText(body, { limit: LONGEST_ANSWER });
  } catch (error) {
    if (error instanceof XmlError) return undefined;
    throw error;
  }
}

function sentences(elements: readonly Element[]): readonly string[] {
  return elements.map((element) => element.text.trim()).filter((text) => text !== '');
}

/** What our service answers with; `fields` are the elements that the sentences are about, each at the place of its own. */
export function errorListElement(messages: readonly string[], fields: readonly (string | undefined)[] = []): Element {
  return parent(
    'errors',
    messages.map((text, index) => {
      const field = fields[index];
      return {
        name: 'error',
        attributes: field === undefined ? {} : { [ERROR_FIELD_ATTRIBUTE]: field },
        children: [],
        text,
      };
    }),
  );
}

/** The other shape, of one sentence. */
export function errorMessageElement(message: string): Element {
  return { name: 'message', attributes: {}, children: [], text: message };
}
