import type { Insertable, Selectable } from 'kysely';
import type { Tx } from '../database.ts';
import type { Schema } from '../schema.ts';

export type InvitationRow = Selectable<Schema['invitations']>;

/** Adds a link and gives its number. */
export async function addInvitation(tx: Tx, row: Insertable<Schema['invitations']>): Promise<number> {
  const { id } = await tx.insertInto('invitations').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function invitationByHash(tx: Tx, hash: string): Promise<InvitationRow | undefined> {
  return tx.selectFrom('invitations').selectAll().where('hash', '=', hash).executeTakeFirst();
}

export async function invitationById(tx: Tx, id: number): Promise<InvitationRow | undefined> {
  return tx.selectFrom('invitations').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Whether a link of the user is good at a moment, that was given to someone else than this owner. */
export async function isInvitedByOther(tx: Tx, userId: number, ownerId: number, now: number): Promise<boolean> {
  const row = await tx
    .selectFrom('invitations')
    .select('id')
    .where('userId', '=', userId)
    .where('handedToId', '!=', ownerId)
    .where('expiresAt', '>', now)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Ends every link of a user. */
export async function dropInvitationsOf(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('invitations').where('userId', '=', userId).execute();
}

/** Ends the links of a user to one project. */
export async function dropInvitationsTo(tx: Tx, userId: number, projectId: number): Promise<void> {
  await tx.deleteFrom('invitations').where('userId', '=', userId).where('projectId', '=', projectId).execute();
}

export async function dropInvitationsBefore(tx: Tx, moment: number): Promise<void> {
  await tx.deleteFrom('invitations').where('expiresAt', '<=', moment).execute();
}
