import { type Refusal, unauthorized } from '../ground/errors.ts';
import type { Tx } from '../store/database.ts';
import { ownerOfToken } from '../store/people/tokens.ts';

/**
 * To be asked inside the transaction of a write: between the head of a request and the end of its body a token may be revoked, or
 * its user removed. Throws `Refusal` 401.
 */
export async function requireToken(tx: Tx, hash: string): Promise<void> {
  if (!(await ownerOfToken(tx, hash))) throw unknownToken();
}

export function unknownToken(): Refusal {
  return challenge('This API token is not known here. Sign in again.');
}

export function challenge(sentence: string): Refusal {
  return unauthorized('X-ServiceToken realm="Story Tracker"', sentence);
}
