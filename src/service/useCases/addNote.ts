import { MAX_TEXT } from '../../core/limits.ts';
import type { Note } from '../../core/story/story.ts';
import type { Change } from '../auth/projectAccess.ts';
import { unprocessable } from '../ground/errors.ts';
import { type AddedContent, refuseTooLong } from '../input/fieldLimits.ts';
import { insertNote } from '../store/stories/notes.ts';
import { type StoryRow, updateStoryRow } from '../store/stories/storyRows.ts';
import { quoted, record } from './recordActivity.ts';
import { changedStory, refuseFullStory } from './storyRules.ts';

/** Adds a comment to a story. Throws `Refusal` 422 when it is empty, too long, or more than the story can hold. */
export async function addNote(change: Change, storyId: number, text: string): Promise<Note> {
  if (text.trim() === '') throw unprocessable('A comment must not be empty.');
  refuseTooLong('A comment', text, MAX_TEXT);
  const story = await changedStory(change, storyId);
  await refuseFullStory(change, storyId, addedBy(text));
  return writeNote(change, story, text);
}

/** What a comment adds to a story. */
export function addedBy(text: string): AddedContent {
  return { comments: 1, bytes: Buffer.byteLength(text) };
}

/** Adds a comment that the story is known to have room for. */
export async function writeNote(change: Change, story: StoryRow, text: string): Promise<Note> {
  const { tx, project, user, now } = change;
  const note = await insertNote(tx, {
    projectId: project.id,
    storyId: story.id,
    text,
    author: user.name,
    authorId: user.id,
    notedAt: now,
  });
  await updateStoryRow(tx, story.id, { updatedAt: now });
  await record(change, 'note_create', `added comment: ${quoted(text)} to ${quoted(story.name)}`, [
    { id: story.id, changed: { notes: [note] }, cleared: [] },
  ]);
  return note;
}
