import type { Insertable, Selectable } from 'kysely';
import type { Tx } from '../database.ts';
import type { Schema } from '../schema.ts';
import type { UserRow } from './users.ts';

export type SessionRow = Selectable<Schema['sessions']>;

export async function addSession(tx: Tx, row: Insertable<Schema['sessions']>): Promise<number> {
  const { id } = await tx.insertInto('sessions').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** With whom it is of. */
export async function sessionByHash(
  tx: Tx,
  hash: string,
): Promise<{ readonly session: SessionRow; readonly user: UserRow } | undefined> {
  const session = await tx.selectFrom('sessions').selectAll().where('hash', '=', hash).executeTakeFirst();
  const user =
    session && (await tx.selectFrom('users').selectAll().where('id', '=', session.userId).executeTakeFirst());
  return session && user && { session, user };
}

/** The one used last first. */
export async function sessionsOf(tx: Tx, userId: number): Promise<readonly SessionRow[]> {
  return tx
    .selectFrom('sessions')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('lastUsedAt', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

export async function markSessionUsed(tx: Tx, id: number, now: number): Promise<void> {
  await tx.updateTable('sessions').set({ lastUsedAt: now }).where('id', '=', id).execute();
}

/** Ends one of the user's; nothing when it is someone else's. */
export async function dropSession(tx: Tx, userId: number, id: number): Promise<void> {
  await tx.deleteFrom('sessions').where('id', '=', id).where('userId', '=', userId).execute();
}

/** Ends all of the user's, but for the one that is to be kept. */
export async function dropSessionsOf(tx: Tx, userId: number, kept?: number): Promise<void> {
  const all = tx.deleteFrom('sessions').where('userId', '=', userId);
  await (kept === undefined ? all : all.where('id', '!=', kept)).execute();
}

/** Ends those that are over, and those that nobody used since a moment. */
export async function dropOldSessions(tx: Tx, now: number, unusedSince: number): Promise<void> {
  await tx
    .deleteFrom('sessions')
    .where((where) => where.or([where('expiresAt', '<=', now), where('lastUsedAt', '<=', unusedSince)]))
    .execute();
}
