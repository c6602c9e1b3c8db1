import { calendarDay, type ZonedDate } from '../calendar.ts';
import { asServersKeep, folded } from '../text.ts';
import type { StoryFields } from './story.ts';

const PEOPLE: ReadonlySet<string> = new Set<keyof StoryFields>(['ownedBy', 'requestedBy']);

/**
 * A field's value for telling whether two are the same: servers sort labels, know people by name and tickets by their ids, write
 * days in zones of their own, and leave out what is empty.
 */
export function comparableField(name: string, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return PEOPLE.has(name) ? folded(asServersKeep(value)) : asServersKeep(value);
  if (name === 'estimate') return Number(value) < 0 ? '' : String(value);
  if (Array.isArray(value))
    return JSON.stringify(value.map((one) => asServersKeep(String(one)).toLowerCase()).toSorted());
  const { externalId, time, text } = Object(value) as Readonly<Record<string, unknown>>;
  if (name === 'deadline') return String(calendarDay(value as ZonedDate) ?? text);
  return asServersKeep(String(externalId ?? time ?? text ?? JSON.stringify(value)));
}
