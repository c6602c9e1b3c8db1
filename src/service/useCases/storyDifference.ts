import type { Story } from '../../core/story.ts';
import type { RecordedStory } from '../store/activities.ts';

/** In the order in which a description names them. */
const FIELDS = [
  'type',
  'state',
  'estimate',
  'name',
  'description',
  'requestedBy',
  'ownedBy',
  'createdAt',
  'acceptedAt',
  'deadline',
  'labels',
  'rank',
  'ticket',
] as const satisfies readonly (keyof Story)[];

/** What differs between two states of a story, as an activity tells it: changed fields only, cleared ones by name. */
export function storyDifference(before: Story, after: Story): RecordedStory {
  const changed: { -readonly [K in keyof Story]?: Story[K] } = {};
  const cleared: (keyof Story)[] = [];
  for (const field of FIELDS) {
    if (JSON.stringify(before[field]) === JSON.stringify(after[field])) continue;
    if (isBlank(after[field])) cleared.push(field);
    else copyField(changed, after, field);
  }
  const isTicketNew = 'ticket' in changed || cleared.includes('ticket');
  return { id: after.id, changed, cleared, ...(before.ticket && isTicketNew && { formerTicket: before.ticket }) };
}

function isBlank(value: Story[(typeof FIELDS)[number]]): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

function copyField<K extends keyof Story>(
  to: { -readonly [F in keyof Story]?: Story[F] },
  from: Story,
  field: K,
): void {
  to[field] = from[field];
}
