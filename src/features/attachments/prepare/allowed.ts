import type { SecretFinding } from '../../../core/ports/secretLines.ts';
import type { Ready } from './candidate.ts';

/** What is odd about a file, as `oddity` tells it, and may be sent all the same: a person said so. */
export type Allowed = ReadonlySet<string>;

/** Becomes another when the file does, so that it is asked about again. */
export function oddity({ uri, filename }: Ready, what: 'empty' | readonly SecretFinding[]): string {
  return JSON.stringify([uri?.toString(), filename, what]);
}
