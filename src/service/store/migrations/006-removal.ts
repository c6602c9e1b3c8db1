import type { Tx } from '../database.ts';

/** What hangs on a story or a project is found without reading what hangs on others, when one is removed. */
export async function removal(db: Tx): Promise<void> {
  await db.schema.createIndex('sourceCommitsByStoryId').on('sourceCommits').columns(['storyId']).execute();
  await db.schema.createIndex('mailRepliesByProjectId').on('mailReplies').columns(['projectId']).execute();
}
