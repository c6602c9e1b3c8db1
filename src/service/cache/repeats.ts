import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isFile, type Reply } from '../http/reply.ts';
import type { Stamp } from '../store/database.ts';
import { isValid, type Validity } from './isValid.ts';
import { LeastRecent } from './leastRecent.ts';

const MEMORY = 16 * 1024 * 1024;
/** Milliseconds after which a request is looked at anew whatever happened, as whoever notes the use of a token expects. */
const LONGEST = 60_000;

interface Known extends Validity {
  readonly stamp: Stamp;
  readonly reply: Reply;
}

/**
 * Replies to requests that come again word for word, as those of programs do that ask whether anything is new. One is given again
 * while nothing in the store changed and no moment passed after which it would differ.
 */
export class Repeats {
  private readonly known = new LeastRecent<string, Known>(MEMORY);

  /** The reply if there is one that is true now; the stamp of the store is asked for only where there may be. */
  async get(key: string, now: number, stampOfStore: () => Stamp | Promise<Stamp>): Promise<Reply | undefined> {
    const known = this.known.get(key);
    if (known === undefined || !isValid(known, now)) return undefined;
    return known.stamp === (await stampOfStore()) ? known.reply : undefined;
  }

  /** Remembers a reply that says how long it is good for. */
  keep(key: string, now: number, reply: Reply): void {
    const { goodFor, body } = reply;
    if (goodFor === undefined || isFile(body)) return;
    const known = { ...goodFor, validUntil: Math.min(goodFor.validUntil, now + LONGEST), reply };
    this.known.set(key, known, Buffer.byteLength(body) + key.length);
  }
}

/** All that the reply to a request to read depends on but the store and the time; what it is made of cannot be told from it. */
export function repeatKey({ method, url, rawHeaders }: IncomingMessage, isPrivate: boolean): string | undefined {
  if (method !== 'GET') return undefined;
  return hash('sha256', `${isPrivate}\n${url}\n${rawHeaders.join('\n')}`, 'base64');
}
