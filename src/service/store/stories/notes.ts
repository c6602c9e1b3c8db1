import type { Note } from '../../../core/story/story.ts';
import { zonedDate } from '../../../v3/dates.ts';
import type { Tx } from '../database.ts';

interface NewNote {
  readonly projectId: number;
  readonly storyId: number;
  readonly text: string;
  readonly author: string;
  readonly authorId: number | null;
  readonly notedAt: number;
}

export async function insertNote(tx: Tx, note: NewNote): Promise<Note> {
  return toNote(await tx.insertInto('notes').values(note).returningAll().executeTakeFirstOrThrow());
}

export function toNote(row: { id: number; text: string; author: string; notedAt: number }): Note {
  return { id: row.id, text: row.text, author: row.author, notedAt: zonedDate(row.notedAt) };
}
