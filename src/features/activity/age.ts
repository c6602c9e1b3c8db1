import type { ZonedDate } from '../../core/calendar.ts';

export interface AgeOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly language: string;
  /** `long` for being read out. */
  readonly style: 'short' | 'long';
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * How long ago something happened, and the day once that says more: "now", "5 min. ago", "yesterday", "3 Nov". A moment in a
 * zone that nobody knows is shown as the server wrote it; one that is still to come, since clocks differ, is now.
 */
export function age({ text, time }: ZonedDate, { now, language, style }: AgeOptions): string {
  if (time === undefined) return text;
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style });
  const passed = now - time;
  if (passed < MINUTE) return relative.format(0, 'second');
  if (passed < HOUR) return relative.format(-Math.floor(passed / MINUTE), 'minute');
  const days = Math.round((midnight(now) - midnight(time)) / (24 * HOUR));
  if (days === 0 || passed < 6 * HOUR) return relative.format(-Math.floor(passed / HOUR), 'hour');
  if (days < 7) return relative.format(-days, 'day');
  const isThisYear = new Date(now).getFullYear() === new Date(time).getFullYear();
  const month = style === 'short' ? 'short' : 'long';
  return new Intl.DateTimeFormat(language, { day: 'numeric', month, ...(!isThisYear && { year: 'numeric' }) }).format(
    time,
  );
}

function midnight(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}
