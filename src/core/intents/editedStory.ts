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
