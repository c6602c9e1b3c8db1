import type { ZonedDate } from '../../core/calendar.ts';
import { escaped, isolated, lineOf } from './escaped.ts';

/**
 * A moment, with the server's text as its tooltip. The page puts it into the person's language and zone, which an extension
 * on another machine does not know; one of an unknown zone stays as the server wrote it (zonedDate.ts).
 */
export function shownTime({ text, time }: ZonedDate): string {
  const isKnown = time !== undefined && !Number.isNaN(new Date(time).getTime());
  if (!isKnown) return isolated(text);
  return `<time datetime="${new Date(time).toISOString()}" title="${escaped(lineOf(text))}">${isolated(text)}</time>`;
}
