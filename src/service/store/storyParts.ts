import type { Attachment } from '../../core/attachment.ts';
import type { Note, Task } from '../../core/story.ts';
import { toAttachment } from './attachments.ts';
import type { Tx } from './database.ts';
import { toNote } from './notes.ts';
import { toTask } from './tasks.ts';

/** Whose parts are read: one story's, or those of a whole project in as many queries. */
export type PartsOf = { readonly storyId: number } | { readonly projectId: number };

export async function labelsFor(tx: Tx, of: PartsOf): Promise<Map<number, string[]>> {
  const query = tx
    .selectFrom('storyLabels')
    .innerJoin('labels', 'labels.id', 'storyLabels.labelId')
    .select(['storyLabels.storyId as storyId', 'labels.name as name'])
    .orderBy('storyLabels.storyId')
    .orderBy('storyLabels.position');
  const rows =
    'storyId' in of
      ? await query.where('storyLabels.storyId', '=', of.storyId).execute()
      : await query.where('storyLabels.projectId', '=', of.projectId).execute();
  return grouped(rows, ({ name }) => name);
}

export async function notesFor(tx: Tx, of: PartsOf): Promise<Map<number, Note[]>> {
  const query = tx.selectFrom('notes').selectAll().orderBy('id');
  const rows =
    'storyId' in of
      ? await query.where('storyId', '=', of.storyId).execute()
      : await query.where('projectId', '=', of.projectId).execute();
  return grouped(rows, toNote);
}

export async function tasksFor(tx: Tx, of: PartsOf): Promise<Map<number, Task[]>> {
  const query = tx.selectFrom('tasks').selectAll().orderBy('position').orderBy('id');
  const rows =
    'storyId' in of
      ? await query.where('storyId', '=', of.storyId).execute()
      : await query.where('projectId', '=', of.projectId).execute();
  return grouped(rows, toTask);
}

export async function attachmentsFor(tx: Tx, of: PartsOf): Promise<Map<number, Attachment[]>> {
  const query = tx.selectFrom('attachments').selectAll().orderBy('id');
  const rows =
    'storyId' in of
      ? await query.where('storyId', '=', of.storyId).execute()
      : await query.where('projectId', '=', of.projectId).execute();
  return grouped(rows, toAttachment);
}

function grouped<R extends { readonly storyId: number }, V>(
  rows: readonly R[],
  value: (row: R) => V,
): Map<number, V[]> {
  const groups = new Map<number, V[]>();
  for (const row of rows) {
    const group = groups.get(row.storyId);
    if (group) group.push(value(row));
    else groups.set(row.storyId, [value(row)]);
  }
  return groups;
}
