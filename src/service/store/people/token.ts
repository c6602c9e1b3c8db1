import { hash, randomBytes } from 'node:crypto';

/** A new token: 40 characters, 240 random bits. */
export function newToken(): string {
  return randomBytes(30).toString('base64url');
}

/** What the store keeps instead of a token; looking it up tells nothing through timing, since it cannot be steered. */
export function tokenHash(token: string): string {
  return hash('sha256', token);
}
