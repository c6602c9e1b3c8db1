import { type Backlog, findStory, withStory } from '../backlog/backlog.ts';
import type { NewStory, Story, StoryEdit, Ticket } from '../story/story.ts';

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

const BLANK = { type: 'feature', state: 'unscheduled', labels: [], attachments: [], notes: [], tasks: [] } as const;

/** A story as it is shown before a server has it. `storyId` is negative. */
export function pendingStory(storyId: number, story: NewStory): Story {
  return editedStory({ ...BLANK, id: storyId, name: story.name }, story);
}

/** A story that no server has yet has a negative id, which none gives. */
export function isPendingStory({ id }: Pick<Story, 'id'>): boolean {
  return id < 0;
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
