import type { StoryFields } from './story.ts';

/** What people call the fields of a story in the middle of a sentence. */
export const FIELD_WORDS: Readonly<Record<keyof StoryFields, string>> = {
  type: 'type',
  state: 'state',
  name: 'name',
  estimate: 'estimate',
  description: 'description',
  requestedBy: 'requester',
  ownedBy: 'owner',
  labels: 'labels',
  deadline: 'deadline',
  createdAt: 'creation date',
  acceptedAt: 'acceptance date',
  ticket: 'ticket',
};
