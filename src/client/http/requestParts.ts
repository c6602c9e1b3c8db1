import type { Element } from '../../v3/element.ts';
import { writeDocument } from '../../v3/write.ts';

/** The body of a change. */
export function xml(root: Element): { readonly body: { readonly contentType: string; readonly text: string } } {
  return { body: { contentType: 'application/xml', text: writeDocument(root) } };
}

/** A query of those values that are given. */
export function query(values: Readonly<Record<string, string | number | undefined>>): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters;
}
