import { MAX_TEXT } from '../../core/limits.ts';
import type { Note } from '../../core/story.ts';
import type { Change } from '../auth/projectAccess.ts';
import { refuseTooLong } from '../input/fieldLimits.ts';
import { unprocessable } from '../refusal.ts';
import { insertNote } from '../store/notes.ts';
import { updateStoryRow } from '../store/storyRows.ts';
import { quoted, record } from './record.ts';
import { changedStory } from './theStory.ts';

/** Adds a comment to a story. */
export async function addNote(change: Change, storyId: number, text: string): Promise<Note> {
  if (text.trim() === '') throw unprocessable('A comment needs some text.');
  refuseTooLong('A comment', text, MAX_TEXT);
  const story = await changedStory(change, storyId);
  const { tx, project, user, now } = change;
  const note = await insertNote(tx, {
    projectId: project.id,
    storyId,
    text,
    author: user.name,
    authorId: user.id,
    notedAt: now,
  });
  await updateStoryRow(tx, storyId, { updatedAt: now });
  await record(change, 'note_create', `added comment: ${quoted(text)} to ${quoted(story.name)}`, [
    { id: storyId, changed: { notes: [note] }, cleared: [] },
  ]);
  return note;
}
