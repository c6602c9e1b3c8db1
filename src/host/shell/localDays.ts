import type { Days } from '../../core/calendar.ts';

const DAY_MS = 86_400_000;

/** Days from midnight to midnight where this window is, however many hours each has. */
export const localDays: Days = {
  dayAt(time) {
    const date = new Date(time);
    return Math.round(utc(date.getFullYear(), date.getMonth(), date.getDate()) / DAY_MS);
  },
  startOf(day) {
    const date = new Date(day * DAY_MS);
    const start = new Date(0);
    start.setFullYear(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
    // Where clocks are put forward at midnight, the day begins with the first moment that there is.
    return start.setHours(0, 0, 0, 0);
  },
};

/** `Date.UTC` takes the first hundred years for others. */
function utc(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month, day);
}
