import { isFile, type Reply } from '../http/reply.ts';
import { bytesIn, type Prepared, prepared } from '../http/writeReply.ts';
import { isValid, LeastRecentlyUsed, type Validity } from '../memory/leastRecentlyUsed.ts';
import type { Reader, Stamp } from '../store/database.ts';

const MEMORY = 8 * 1024 * 1024;
/** Bytes of a reply that is worth another copy: what a longer one costs lies in its sending. */
const LARGEST = 1024 * 1024;
/** Milliseconds after which a request is looked at anew whatever happened, as whoever notes the use of a token expects; clocks may be put back too. */
const LONGEST = 60_000;

/** A reply that was given before. */
export interface Repeat extends Validity {
  /** It is true while the store has this stamp, */
  stamp: Stamp;
  readonly reader: Reader;
  /** and while this is the version of what the reader sees; it was asked for before the reply was made, if at all. */
  readonly version: string | undefined;
  /** Whose token it was asked for with; undefined for a reply to anyone. */
  readonly user: number | undefined;
  readonly reply: Prepared;
}

/**
 * Replies to requests that come again word for word, as those of programs do that ask whether anything is new. One is given again
 * while nothing in the store changed, or nothing that its reader sees, and no moment passed after which it would differ.
 */
export class ReplyCache {
  private readonly known = new LeastRecentlyUsed<string, Repeat>(MEMORY);

  /** The reply, if there is one that the time has left true; whether the store has too is for the asker to find out. */
  find(key: string, now: number): Repeat | undefined {
    const known = this.known.get(key);
    return known && isValid(known, now) ? known : undefined;
  }

  /** Remembers a reply that says how long it is good for. */
  keep(key: string, now: number, reply: Reply, asked: Pick<Repeat, 'version' | 'user'>): void {
    const { goodFor, body } = reply;
    if (goodFor === undefined || isFile(body) || bytesIn(body) > LARGEST) return;
    const validity = {
      validFrom: Math.max(goodFor.validFrom, now - LONGEST),
      validUntil: Math.min(goodFor.validUntil, now + LONGEST),
    };
    const known = { ...goodFor, ...validity, ...asked, reply: prepared(reply, body) };
    this.known.set(key, known, bytesIn(body) + key.length);
  }
}
