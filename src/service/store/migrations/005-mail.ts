import type { Tx } from '../database.ts';
import type { SqlTypes } from '../sqlTypes.ts';

/** Who wants to be told of stories by mail, and which replies have become comments. */
export async function mail(db: Tx, types: SqlTypes): Promise<void> {
  for (const table of ['users', 'memberships']) {
    await db.schema
      .alterTable(table)
      .addColumn('assignedMail', 'integer', (c) => c.notNull().defaultTo(1))
      .execute();
  }
  await db.schema
    .createTable('mailReplies')
    .addColumn('projectId', 'integer', (c) => c.notNull().references('projects.id').onDelete('cascade'))
    .addColumn('storyId', 'integer', (c) => c.notNull().references('stories.id').onDelete('cascade'))
    .addColumn('userId', 'integer', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('messageHash', 'text', (c) => c.notNull())
    .addColumn('receivedAt', types.moment, (c) => c.notNull())
    .addPrimaryKeyConstraint('oneCommentPerReply', ['storyId', 'userId', 'messageHash'])
    .execute();
}
