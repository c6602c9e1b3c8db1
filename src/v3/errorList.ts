import { type Element, parent, textElement } from './element.ts';
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
  try {
    return readErrorList(readText(body, { limit: LONGEST_ANSWER }));
  } catch (error) {
    if (error instanceof XmlError) return [];
    throw error;
  }
}

function sentences(elements: readonly Element[]): readonly string[] {
  return elements.map((element) => element.text.trim()).filter((text) => text !== '');
}

/** What our service answers with. */
export function errorListElement(messages: readonly string[]): Element {
  return parent(
    'errors',
    messages.map((message) => textElement('error', message)),
  );
}

/** The other shape, of one sentence. */
export function errorMessageElement(message: string): Element {
  return { name: 'message', attributes: {}, children: [], text: message };
}
