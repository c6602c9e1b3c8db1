import type { ZonedDate } from './zonedDate.ts';

/**
 * The day that a server wrote, whatever its zone and the reader's: midnight of that day in UTC, in milliseconds since the epoch. `undefined`
 * when it wrote none that can be read.
 */
export function calendarDay(date: ZonedDate | undefined): number | undefined {
  const [, year, month, day] = /^(\d{4})[/-](\d{1,2})[/-](\d{1,2})/.exec(date?.text ?? '') ?? [];
  return day === undefined ? date?.time : Date.UTC(Number(year), Number(month) - 1, Number(day));
}
