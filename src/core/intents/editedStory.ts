import type { Story, StoryEdit, Ticket } from '../story/story.ts';

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
