import type { Tx } from '../store/database.ts';
import type { UserRow } from '../store/users.ts';

/** Whom a project names, by an import before, and who it is. */
export interface HandOver {
  readonly projectId: number;
  /** In the file. */
  readonly name: string;
  /** The user whom an import made for the name; none where only the name was kept. */
  readonly placeholder: number | undefined;
  readonly user: UserRow;
}

/** What a project says of a name that nobody has, or a user made for it, is said of a user from now on. Gives the stories that changed. */
export async function handOver(tx: Tx, { projectId, name, placeholder, user }: HandOver): Promise<readonly number[]> {
  const before = placeholder ?? -1;
  const requested = await tx
    .updateTable('stories')
    .set({ requestedBy: user.name, requesterId: user.id })
    .where('projectId', '=', projectId)
    .where('requestedBy', '=', name)
    .where(({ eb, or }) => or([eb('requesterId', 'is', null), eb('requesterId', '=', before)]))
    .returning('id')
    .execute();
  const owned = await tx
    .updateTable('stories')
    .set({ ownedBy: user.name, ownerId: user.id })
    .where('projectId', '=', projectId)
    .where('ownedBy', '=', name)
    .where(({ eb, or }) => or([eb('ownerId', 'is', null), eb('ownerId', '=', before)]))
    .returning('id')
    .execute();
  const notes = await tx
    .updateTable('notes')
    .set({ author: user.name, authorId: user.id })
    .where('projectId', '=', projectId)
    .where('author', '=', name)
    .where(({ eb, or }) => or([eb('authorId', 'is', null), eb('authorId', '=', before)]))
    .returning('storyId as id')
    .execute();
  const files = await tx
    .updateTable('attachments')
    .set({ uploadedBy: user.name, uploaderId: user.id })
    .where('projectId', '=', projectId)
    .where('uploadedBy', '=', name)
    .where(({ eb, or }) => or([eb('uploaderId', 'is', null), eb('uploaderId', '=', before)]))
    .returning('storyId as id')
    .execute();
  await tx.deleteFrom('memberships').where('projectId', '=', projectId).where('userId', '=', before).execute();
  return [...new Set([...requested, ...owned, ...notes, ...files].map(({ id }) => id))];
}
