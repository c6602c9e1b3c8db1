import { withMonthNumber } from '../calendar.ts';
import { TrackerError } from '../errors.ts';

const DAY = 86_400_000;
const YEAR_FIRST = /^(\d{4})([-/])(\d{1,2})\2(\d{1,2})$/;
const MONTH_FIRST = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;
const BACK = /^(\d{1,4})([dw])$/;

/**
 * The start, in UTC, of the day that is meant by `2026/03/31`, `2026-03-31`, `3/31/2026`, `Mar 31, 2026`, `today`, `yesterday`, or so many
 * days or weeks before today: `7d`, `2w`. Takes now, in milliseconds. Throws `input` for anything else.
 */
export function filterDay(value: string): (now: number) => number {
  const text = withMonthNumber(value.trim().toLowerCase());
  const daysBack = daysBackOf(text);
  if (daysBack !== undefined) return (now) => (Math.floor(now / DAY) - daysBack) * DAY;
  const time = timeOf(text);
  if (time !== undefined) return () => time;
  throw new TrackerError('input', `“${value}” is not a day. Write it as 2026/03/31, today, yesterday, 7d or 2w.`);
}

function daysBackOf(text: string): number | undefined {
  if (text === 'today') return 0;
  if (text === 'yesterday') return 1;
  const [, count, unit] = BACK.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (unit === 'w' ? 7 : 1);
}

function timeOf(text: string): number | undefined {
  const yearFirst = YEAR_FIRST.exec(text);
  if (yearFirst) return utcDay(Number(yearFirst[1]), Number(yearFirst[3]), Number(yearFirst[4]));
  const monthFirst = MONTH_FIRST.exec(text);
  if (monthFirst) return utcDay(Number(monthFirst[3]), Number(monthFirst[1]), Number(monthFirst[2]));
  return undefined;
}

/** Undefined for a day that no calendar has. */
function utcDay(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined;
}
