import { hash, randomBytes } from 'node:crypto';

/** What tells one answer of an address from the next: `etag` as it came, or the date of the last change. */
type Validator = { readonly 'if-none-match': string } | { readonly 'if-modified-since': string };

/** An answer to give again when the server says that it is still the same. */
export interface KeptAnswer {
  readonly validator: Validator;
  readonly value: unknown;
}

/** Decoded bytes of the largest answer that is kept. */
export const KEPT_BODY = 64 * 1024;
const MOST = 32;
const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x7e]{0,256}"$/;
/** A date tells seconds only; what changed just before the answer may change again within the same one. */
const SETTLED_MS = 60_000;

/** Small answers to reads for one user, those asked for last; all are forgotten when the token is another. */
export class AnswerCache {
  private readonly key = randomBytes(32).toString('base64');
  private readonly byAddress = new Map<string, KeptAnswer>();
  private owner = '';

  /** What stands for a token here, so that the token itself is in no field. */
  ownerOf(token: string): string {
    return hash('sha256', this.key + token, 'base64');
  }

  find(owner: string, address: string): KeptAnswer | undefined {
    if (owner !== this.owner) this.byAddress.clear();
    this.owner = owner;
    const known = this.byAddress.get(address);
    if (known) this.place(address, known);
    return known;
  }

  /** Drops an answer that arrives when someone else is already signed in. */
  put(owner: string, address: string, answer: KeptAnswer): void {
    if (owner !== this.owner) return;
    this.place(address, answer);
    for (const oldest of this.byAddress.keys()) {
      if (this.byAddress.size <= MOST) break;
      this.byAddress.delete(oldest);
    }
  }

  private place(address: string, answer: KeptAnswer): void {
    this.byAddress.delete(address);
    this.byAddress.set(address, answer);
  }
}

/** How to ask for the same answer again; `undefined` where the server gave nothing that could be relied on, or forbids it. */
export function validatorOf(header: (name: string) => string | undefined): Validator | undefined {
  if (/\bno-store\b/i.test(header('cache-control') ?? '')) return undefined;
  const tag = header('etag');
  if (tag !== undefined) return ENTITY_TAG.test(tag) ? { 'if-none-match': tag } : undefined;
  const changed = header('last-modified');
  if (changed === undefined || !isSettled(changed, header('date'))) return undefined;
  return { 'if-modified-since': new Date(Date.parse(changed)).toUTCString() };
}

/** What a server calls this state of what it answers; `undefined` where it tells nothing that could be sent back. */
export function entityTagOf(header: (name: string) => string | undefined): string | undefined {
  const tag = header('etag');
  return tag !== undefined && ENTITY_TAG.test(tag) ? tag : undefined;
}

function isSettled(changed: string, answered: string | undefined): boolean {
  return Date.parse(answered ?? '') - Date.parse(changed) >= SETTLED_MS;
}
