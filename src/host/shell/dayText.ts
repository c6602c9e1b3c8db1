import { calendarDay, type ZonedDate } from '../../core/calendar.ts';

/** A day as people of `locale` write it, for instance "Nov 30, 2026"; what the server wrote where that is no day. */
export function dayText(date: ZonedDate, locale: string): string {
  const day = calendarDay(date);
  if (day === undefined) return date.text;
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(day);
}
