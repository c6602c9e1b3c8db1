import type { Insertable } from 'kysely';
import type { Tx } from '../database.ts';
import type { Schema } from '../schema.ts';

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
