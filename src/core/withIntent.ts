import { type Backlog, findStory, withStory } from './backlog.ts';
import type { Intent } from './intent.ts';
import type { Iteration } from './iteration.ts';
import { withMove } from './ordering.ts';
import type { Note, Story, StoryEdit, Ticket } from './story.ts';
import { isInProgress, isScheduled } from './workflow.ts';

/**
 * The backlog as it will look once a server has done what is wanted; unchanged where the story is not in it. Applied twice it
 * is as applied once. `place` is the entry's in the outbox, which tells its comment from an equal one.
 */
export function withIntent(backlog: Backlog, intent: Intent, place = 0): Backlog {
  const story = findStory(backlog, intent.storyId);
  if (!story) return backlog;
  switch (intent.kind) {
    case 'edit':
      return withEdit(backlog, story, intent.edit);
    case 'move':
      return withMove(backlog, story.id, intent.place, intent.targetId);
    case 'comment':
      return withStory(backlog, { ...story, notes: withPendingNote(story.notes, intent.text, place) });
    case 'link':
      return backlog;
  }
}

/** A story as it is shown while something that was done to it waits in the outbox; no server says so. */
interface UnsentStory extends Story {
  readonly isUnsent: true;
}

/** The backlog with a story marked as one that waits for its server. */
export function withUnsent(backlog: Backlog, storyId: number): Backlog {
  const story = findStory(backlog, storyId);
  if (!story || isUnsent(story)) return backlog;
  const marked: UnsentStory = { ...story, isUnsent: true };
  return withStory(backlog, marked);
}

export function isUnsent(story: Story): story is UnsentStory {
  return 'isUnsent' in story;
}

/** A comment that no server has yet has a negative id, which none gives, and neither author nor date. */
export function isPendingNote({ id }: Pick<Note, 'id'>): boolean {
  return id < 0;
}

function withPendingNote(notes: readonly Note[], text: string, place: number): readonly Note[] {
  const pending: Note = { id: -1 - place, text };
  return [...notes.filter(({ id }) => id !== pending.id), pending];
}

function withEdit(backlog: Backlog, story: Story, edit: StoryEdit): Backlog {
  const edited = editedStory(story, edit);
  const inPlace = withStory(backlog, edited);
  if (edit.state === undefined) return inPlace;
  const isFrozen = backlog.icebox.some(({ id }) => id === story.id);
  if (!isScheduled(edited.state)) return isFrozen ? inPlace : intoIcebox(inPlace, edited);
  return isFrozen ? outOfIcebox(inPlace, edited) : inPlace;
}

/** The story after an edit; what a server derives from it, such as the time of acceptance, stays as it was. */
export function editedStory(story: Story, edit: StoryEdit): Story {
  const { ticket, ...fields } = edit;
  const set = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
  const cleared = Object.entries(edit).flatMap(([name, value]) => (value === null ? [name] : []));
  const after: Story = { ...story, ...set, ...(ticket && { ticket: ticketOf(story, ticket) }) };
  return withoutFields(after, cleared);
}

function ticketOf({ ticket: before }: Story, { prefix, ...given }: NonNullable<StoryEdit['ticket']>): Ticket {
  return { prefix: prefix ?? before?.prefix ?? '', ...given };
}

function withoutFields(story: Story, names: readonly string[]): Story {
  if (names.length === 0) return story;
  const copy = { ...story };
  for (const name of names) Reflect.deleteProperty(copy, name);
  return copy;
}

const without = (stories: readonly Story[], { id }: Story) => stories.filter((story) => story.id !== id);

function intoIcebox(backlog: Backlog, story: Story): Backlog {
  const iterations = backlog.iterations.map((one) => ({ ...one, stories: without(one.stories, story) }));
  const done = backlog.done.map((one) => ({ ...one, stories: without(one.stories, story) }));
  return { ...backlog, done, iterations, icebox: [...without(backlog.icebox, story), story] };
}

/** Into the current iteration when work has begun, else into the last; with none there it shows once the project was read again. */
function outOfIcebox(backlog: Backlog, story: Story): Backlog {
  const index = isInProgress(story.state) || story.state === 'accepted' ? 0 : backlog.iterations.length - 1;
  const home = backlog.iterations[index];
  if (!home) return backlog;
  const filled: Iteration = { ...home, stories: [...without(home.stories, story), story] };
  return {
    ...backlog,
    iterations: backlog.iterations.with(index, filled),
    icebox: without(backlog.icebox, story),
  };
}
