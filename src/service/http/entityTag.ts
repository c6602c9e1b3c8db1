import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { CHANGED_SINCE_STATUS } from '../../v3/assumptions.ts';
import { Refusal } from '../ground/errors.ts';

/** What one state of a resource is called: of its document as it is written. */
export function entityTagOf(document: string): string {
  return `"${hash('sha256', document, 'base64url')}"`;
}

/** Whether a caller makes a change depend on how it finds what is to be changed (If-Match). */
export function isConditional({ 'if-match': named }: IncomingHttpHeaders): boolean {
  return named !== undefined && named.trim() !== '*';
}

/**
 * Throws `Refusal` 412 where none of the states that a caller names is this one. Weak tags count too: what stands in front
 * of the service and compresses answers makes them weak, or adds the encoding.
 */
export function requireMatch({ 'if-match': named = '' }: IncomingHttpHeaders, document: string): void {
  const now = entityTagOf(document);
  const isNow = named.split(',').some(
    (tag) =>
      tag
        .trim()
        .replace(/^W\//, '')
        .replace(/[-;]gzip"$/, '"') === now,
  );
  if (!isNow) throw new Refusal(CHANGED_SINCE_STATUS, 'This has been changed elsewhere in the meantime.');
}
