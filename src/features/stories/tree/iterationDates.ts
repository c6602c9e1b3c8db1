import { calendarDay } from '../../../core/calendar.ts';
import type { Iteration } from '../../../core/story/iteration.ts';

const DAY_MS = 86_400_000;

/**
 * First to last day of an iteration, for instance "Nov 16 – 22": calendar days as the server wrote them, whatever the
 * reader's zone. Empty when the server gave none that we can read.
 */
export function iterationDates({ start, finish }: Iteration, locale: string): string {
  const first = calendarDay(start);
  const next = calendarDay(finish);
  if (first === undefined || next === undefined) return '';
  const last = Math.max(first, next - DAY_MS);
  return formatOf(locale).formatRange(first, last);
}

/** One for each locale, since making one takes longer than everything else about a row. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(locale: string): Intl.DateTimeFormat {
  const format =
    formats.get(locale) ?? new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' });
  formats.set(locale, format);
  return format;
}
