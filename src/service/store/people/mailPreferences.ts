import type { Insertable } from 'kysely';
import type { Tx } from '../database.ts';
import type { Schema } from '../schema.ts';

/** What a member has chosen (api-v3.md, Events: Assigned stories), in general and for one project. */
export interface MailPreferences {
  readonly everywhere: boolean;
  readonly project: boolean;
  readonly email: string;
}

/** Undefined for who is not a member. */
export async function mailPreferences(tx: Tx, projectId: number, userId: number): Promise<MailPreferences | undefined> {
  const row = await tx
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.userId')
    .select(['users.assignedMail as everywhere', 'memberships.assignedMail as project', 'users.email'])
    .where('memberships.projectId', '=', projectId)
    .where('memberships.userId', '=', userId)
    .executeTakeFirst();
  return row && { everywhere: row.everywhere === 1, project: row.project === 1, email: row.email };
}

/** For one project, or in general when none is named. */
export async function setAssignedMail(
  tx: Tx,
  userId: number,
  projectId: number | undefined,
  isWanted: boolean,
): Promise<void> {
  const assignedMail = isWanted ? 1 : 0;
  if (projectId === undefined) await tx.updateTable('users').set({ assignedMail }).where('id', '=', userId).execute();
  else
    await tx
      .updateTable('memberships')
      .set({ assignedMail })
      .where('userId', '=', userId)
      .where('projectId', '=', projectId)
      .execute();
}

/** Remembers a reply; false when it was there before: mail systems may deliver one twice. */
export async function rememberReply(tx: Tx, reply: Insertable<Schema['mailReplies']>): Promise<boolean> {
  const row = await tx
    .insertInto('mailReplies')
    .values(reply)
    .onConflict((conflict) => conflict.columns(['storyId', 'userId', 'messageHash']).doNothing())
    .returning('storyId')
    .executeTakeFirst();
  return row !== undefined;
}
