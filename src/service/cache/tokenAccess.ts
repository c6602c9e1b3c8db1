import type { Background } from '../ground/background.ts';
import { UntilChanged } from '../memory/untilChanged.ts';
import type { Database, Stamp } from '../store/database.ts';
import { markTokenUsed, ownerOfToken, type TokenOwner, tokenHash } from '../store/people/tokens.ts';
import type { UserRow } from '../store/people/users.ts';

const MAX_TOKEN_LENGTH = 200;

const HOUR = 60 * 60 * 1000;

const DAY = 24 * HOUR;

/** Who a token stands for. Remembered while the store does not change, so that most requests ask it nothing. */
export class TokenAccess {
  private readonly database: Database;
  private readonly background: Background;
  private readonly owners: UntilChanged<TokenOwner | undefined>;
  private readonly noting = new Set<number>();

  constructor(database: Database, background: Background) {
    this.database = database;
    this.background = background;
    this.owners = new UntilChanged(2_000);
  }

  async userOf(token: string, stamp: Stamp, now: number): Promise<UserRow | undefined> {
    if (token === '' || token.length > MAX_TOKEN_LENGTH) return undefined;
    const hash = tokenHash(token);
    const owner = await this.owners.get(hash, stamp, () => this.database.read((tx) => ownerOfToken(tx, hash)));
    if (owner) this.noteUse(owner, now);
    return owner?.user;
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
