import type { Insertable, Selectable } from 'kysely';
import type { Attachment } from '../../../core/story/attachment.ts';
import { zonedDate } from '../../../v3/dates.ts';
import type { Tx } from '../database.ts';
import type { Schema } from '../schema.ts';

export type AttachmentRow = Selectable<Schema['attachments']>;

export async function insertAttachment(
  tx: Tx,
  row: Omit<Insertable<Schema['attachments']>, 'id'>,
): Promise<AttachmentRow> {
  return tx.insertInto('attachments').values(row).returningAll().executeTakeFirstOrThrow();
}

export async function attachmentRow(tx: Tx, id: number): Promise<AttachmentRow | undefined> {
  return tx.selectFrom('attachments').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function attachmentsOfStory(tx: Tx, storyId: number): Promise<AttachmentRow[]> {
  return tx.selectFrom('attachments').selectAll().where('storyId', '=', storyId).execute();
}

/** Gives an attachment another file. */
export async function setFile(
  tx: Tx,
  id: number,
  { storedAs, size }: Pick<AttachmentRow, 'storedAs' | 'size'>,
): Promise<void> {
  await tx.updateTable('attachments').set({ storedAs, size }).where('id', '=', id).execute();
}

/** Ids and stored names. */
export async function filesOfProject(tx: Tx, projectId: number): Promise<Pick<AttachmentRow, 'id' | 'storedAs'>[]> {
  return tx.selectFrom('attachments').select(['id', 'storedAs']).where('projectId', '=', projectId).execute();
}

export async function storedNamesOfStory(tx: Tx, storyId: number): Promise<string[]> {
  const rows = await tx.selectFrom('attachments').select('storedAs').where('storyId', '=', storyId).execute();
  return rows.map(({ storedAs }) => storedAs);
}

export async function storedNamesOfProject(tx: Tx, projectId: number): Promise<string[]> {
  return (await filesOfProject(tx, projectId)).map(({ storedAs }) => storedAs);
}

/** Whether a story has as many attachments as this, or more. */
export async function hasAttachments(tx: Tx, storyId: number, count: number): Promise<boolean> {
  const some = tx.selectFrom('attachments').select('id').where('storyId', '=', storyId).limit(count);
  return (await some.execute()).length === count;
}

/** Which of these stored names the store knows. */
export async function knownStoredNames(tx: Tx, names: readonly string[]): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set();
  const rows = await tx
    .selectFrom('attachments')
    .select('storedAs')
    .where('storedAs', 'in', [...names])
    .execute();
  return new Set(rows.map(({ storedAs }) => storedAs));
}

/** An attachment with where it is, for an operator. */
export interface PlacedAttachment {
  readonly project: number;
  readonly projectName: string;
  readonly story: number;
  readonly storyName: string;
  readonly attachment: number;
  readonly filename: string;
  readonly size: number;
  readonly storedAs: string;
}

/** The next ones behind an id, in the order of ids. */
export async function attachmentsBehind(tx: Tx, id: number, limit: number): Promise<readonly PlacedAttachment[]> {
  return tx
    .selectFrom('attachments')
    .innerJoin('stories', 'stories.id', 'attachments.storyId')
    .innerJoin('projects', 'projects.id', 'attachments.projectId')
    .select([
      'projects.id as project',
      'projects.name as projectName',
      'stories.id as story',
      'stories.name as storyName',
    ])
    .select(['attachments.id as attachment', 'filename', 'size', 'storedAs'])
    .where('attachments.id', '>', id)
    .orderBy('attachments.id')
    .limit(limit)
    .execute();
}

export async function countAttachments(tx: Tx): Promise<number> {
  const { count } = await tx
    .selectFrom('attachments')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export function toAttachment(row: AttachmentRow): Attachment {
  return {
    id: row.id,
    filename: row.filename,
    description: row.description,
    uploadedBy: row.uploadedBy,
    uploadedAt: zonedDate(row.uploadedAt),
    size: row.size,
  };
}
