import { hash, randomBytes } from 'node:crypto';
import type { Tx } from '../database.ts';
import { knownQuery } from '../queries.ts';
import type { TokenScope } from '../schema.ts';
import type { UserRow } from './users.ts';

/** A new token: 40 characters, 240 random bits. */
export function newToken(): string {
  return randomBytes(30).toString('base64url');
}

/** What the store keeps instead of a token; looking it up tells nothing through timing, since it cannot be steered. */
export function tokenHash(token: string): string {
  return hash('sha256', token);
}

export const LONGEST_TOKEN_NAME = 100;

type TokenPurpose = 'user' | 'signIn' | 'demo' | 'embedded';

interface TokenWishes {
  readonly name?: string | null;
  /** Writing too where none is given. */
  readonly scope?: TokenScope;
}

/** Makes a token for the user and returns it; only its hash stays. */
export async function mintToken(
  tx: Tx,
  userId: number,
  purpose: TokenPurpose,
  now: number,
  { name = null, scope = 'write' }: TokenWishes = {},
): Promise<string> {
  const token = newToken();
  await tx
    .insertInto('tokens')
    .values({ userId, hash: tokenHash(token), purpose, createdAt: now, lastUsedAt: null, name, scope })
    .execute();
  return token;
}

export interface TokenOwner {
  readonly tokenId: number;
  readonly lastUsedAt: number | null;
  readonly scope: TokenScope;
  readonly user: UserRow;
}

const owners = knownQuery((tx, { hash }: { readonly hash: string }) =>
  tx
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.userId')
    .selectAll('users')
    .select(['tokens.id as tokenId', 'tokens.lastUsedAt', 'tokens.scope'])
    .where('tokens.hash', '=', hash),
);

export async function ownerOfToken(tx: Tx, hash: string): Promise<TokenOwner | undefined> {
  const [row] = await owners(tx, { hash });
  if (!row) return undefined;
  const { tokenId, lastUsedAt, scope, ...user } = row;
  return { tokenId, lastUsedAt, scope, user };
}

export async function markTokenUsed(tx: Tx, tokenId: number, now: number): Promise<void> {
  await tx.updateTable('tokens').set({ lastUsedAt: now }).where('id', '=', tokenId).execute();
}

export async function revokeToken(tx: Tx, token: string): Promise<void> {
  await tx.deleteFrom('tokens').where('hash', '=', tokenHash(token)).execute();
}

/** What is known of every token, oldest first. */
export async function allTokens(tx: Tx) {
  return tx
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.userId')
    .select([
      'tokens.id as id',
      'tokens.userId',
      'users.email',
      'tokens.purpose',
      'tokens.createdAt',
      'tokens.lastUsedAt',
      'tokens.name',
      'tokens.scope',
    ])
    .orderBy('tokens.id')
    .execute();
}

/** What is known of those of one user, the newest first. */
export async function tokensOf(tx: Tx, userId: number) {
  return tx
    .selectFrom('tokens')
    .select(['id', 'purpose', 'createdAt', 'lastUsedAt', 'name', 'scope'])
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .execute();
}

/** Ends one of the user's, or all; nothing of anyone else's. */
export async function dropTokensOf(tx: Tx, userId: number, id?: number): Promise<void> {
  const all = tx.deleteFrom('tokens').where('userId', '=', userId);
  await (id === undefined ? all : all.where('id', '=', id)).execute();
}

/** Whether there was such a token, which now is none. */
export async function removeToken(tx: Tx, id: number): Promise<boolean> {
  const removed = await tx.deleteFrom('tokens').where('id', '=', id).returning('id').executeTakeFirst();
  return removed !== undefined;
}

/** Drops tokens of a purpose that were neither made nor used since a moment. */
export async function dropUnusedTokens(tx: Tx, purpose: TokenPurpose, since: number): Promise<void> {
  await tx
    .deleteFrom('tokens')
    .where('purpose', '=', purpose)
    .where('createdAt', '<', since)
    .where((where) => where.or([where('lastUsedAt', 'is', null), where('lastUsedAt', '<', since)]))
    .execute();
}
