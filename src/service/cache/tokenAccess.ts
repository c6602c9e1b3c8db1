import type { Background } from '../ground/background.ts';
import { LeastRecentlyUsed } from '../memory/leastRecentlyUsed.ts';
import type { Database, Stamp } from '../store/database.ts';
import { markTokenUsed, ownerOfToken, type TokenOwner, tokenHash } from '../store/people/tokens.ts';

const MAX_TOKEN_LENGTH = 200;

const MOST_OWNERS = 2_000;
const MOST_UNKNOWN = 500;

const HOUR = 60 * 60 * 1000;

const DAY = 24 * HOUR;

/** Who a token stands for. Remembered while the store does not change, so that most requests ask it nothing. */
export class TokenAccess {
  private readonly database: Database;
  private readonly background: Background;
  /** Kept apart from unknown tokens, of which anyone can make up as many as they like. */
  private readonly owners = new LeastRecentlyUsed<string, { readonly owner: TokenOwner; readonly stamp: Stamp }>(
    MOST_OWNERS,
  );
  private readonly unknown = new LeastRecentlyUsed<string, Stamp>(MOST_UNKNOWN);
  private readonly noting = new Set<number>();

  constructor(database: Database, background: Background) {
    this.database = database;
    this.background = background;
  }

  /** `database` is that of who asks. */
  async ownerOf(token: string, database: Database, stamp: Stamp, now: number): Promise<TokenOwner | undefined> {
    if (token === '' || token.length > MAX_TOKEN_LENGTH) return undefined;
    const owner = await this.ownerOfHash(tokenHash(token), database, stamp);
    if (owner) this.noteUse(owner, now);
    return owner;
  }

  /** The user whose token was good when it last came, if that is remembered. Good enough to tell callers apart, and for nothing else. */
  knownUser(token: string): number | undefined {
    if (token === '' || token.length > MAX_TOKEN_LENGTH) return undefined;
    return this.owners.get(tokenHash(token))?.owner.user.id;
  }

  /** The stamp was taken before the store is read: what is remembered may be newer than its stamp, never older. */
  private async ownerOfHash(hash: string, database: Database, stamp: Stamp): Promise<TokenOwner | undefined> {
    const known = this.owners.get(hash);
    if (known?.stamp === stamp) return known.owner;
    if (this.unknown.get(hash) === stamp) return undefined;
    const owner = await database.read((tx) => ownerOfToken(tx, hash));
    if (owner) this.owners.set(hash, { owner, stamp });
    else {
      this.owners.delete(hash);
      this.unknown.set(hash, stamp);
    }
    return owner;
  }

  /** Written at most once an hour, so that reading stays reading; again where a clock that was ahead wrote it. */
  private noteUse({ tokenId, lastUsedAt }: TokenOwner, now: number): void {
    const isNoted = lastUsedAt !== null && lastUsedAt > now - HOUR && lastUsedAt < now + DAY;
    if (this.noting.has(tokenId) || isNoted) return;
    this.noting.add(tokenId);
    const note = this.database.write((tx) => markTokenUsed(tx, tokenId, now));
    this.background.run('token use', () => note.finally(() => this.noting.delete(tokenId)));
  }
}
