import type { Note } from '../story/story.ts';
import { changingStory, itsStory, notesOf, type RulesOfKind } from './rulesOfKind.ts';

export const commentRules: RulesOfKind<'comment'> = {
  apply: changingStory((story, { text }, place) => ({ ...story, notes: withPendingNote(story.notes, text, place) })),
  touches: ({ storyId }) => [notesOf(storyId)],
  undo: undefined,
  isRepeatable: false,
  showsPlace: true,
  needsStories: itsStory,
};

/** A comment that no server has yet has a negative id, which none gives, and neither author nor date. */
export function isPendingNote({ id }: Pick<Note, 'id'>): boolean {
  return id < 0;
}

function withPendingNote(notes: readonly Note[], text: string, place: number): readonly Note[] {
  const pending: Note = { id: -1 - place, text };
  return [...notes.filter(({ id }) => id !== pending.id), pending];
}
