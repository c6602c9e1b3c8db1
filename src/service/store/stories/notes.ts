import type { Note } from '../../../core/story/story.ts';
import { zonedDate } from '../../../v3/dates.ts';
import type { Tx } from '../database.ts';
import { knownQuery } from '../queries.ts';

interface NewNote {
  readonly projectId: number;
  readonly storyId: number;
  readonly text: string;
  readonly author: string;
  readonly authorId: number | null;
  readonly notedAt: number;
}

const inserted = knownQuery((tx, { projectId, storyId, text, author, authorId, notedAt }: NewNote) =>
  tx.insertInto('notes').values({ projectId, storyId, text, author, authorId, notedAt }).returningAll(),
);

export async function insertNote(tx: Tx, note: NewNote): Promise<Note> {
  const [row] = await inserted(tx, note);
  if (row === undefined) throw new Error('The comment was not added.');
  return toNote(row);
}

export function toNote(row: { id: number; text: string; author: string; notedAt: number }): Note {
  return { id: row.id, text: row.text, author: row.author, notedAt: zonedDate(row.notedAt) };
}

/** True when this commit was linked to this story before (protocol.md, Commit markers: ignored the second time). */
export async function isLinked(tx: Tx, projectId: number, storyId: number, commitId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('sourceCommits')
    .select('noteId')
    .where('projectId', '=', projectId)
    .where('storyId', '=', storyId)
    .where('commitId', '=', commitId)
    .executeTakeFirst();
  return row !== undefined;
}

interface LinkedCommit {
  readonly projectId: number;
  readonly storyId: number;
  readonly commitId: string;
  readonly noteId: number;
  readonly receivedAt: number;
}

export async function insertLinkedCommit(tx: Tx, commit: LinkedCommit): Promise<void> {
  await tx.insertInto('sourceCommits').values(commit).execute();
}
