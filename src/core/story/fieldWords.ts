import { calendarDay, namedDay } from '../calendar.ts';
import type { Story, StoryFields } from './story.ts';

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

/** A field's value as people write it; empty where there is none. */
export function fieldText(value: Story[keyof StoryFields] | StoryFields[keyof StoryFields]): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return value < 0 ? '' : String(value);
  if (value === undefined || value === null) return '';
  if ('externalId' in value) return value.externalId;
  if (!('text' in value)) return value.join(', ');
  const day = calendarDay(value);
  return day === undefined ? value.text : namedDay(day);
}
