const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
type Weekday = (typeof weekdays)[number];
const weekdayNames: readonly string[] = weekdays;

/** Weeks from the current iteration, then day and time in UTC: `-2 Tue 14:20` is Tuesday of the last but one iteration. */
export type DemoMoment = `${number} ${Weekday} ${number}:${number}`;

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const WEEK = 7 * DAY;
const FIRST_MONDAY = 4 * DAY; // 5 January 1970

/** Milliseconds since the epoch of the Monday, midnight UTC, on which the current one-week iteration began. */
export function currentIterationStart(now: number): number {
  return FIRST_MONDAY + Math.floor((now - FIRST_MONDAY) / WEEK) * WEEK;
}

/**
 * Milliseconds since the epoch, in whole minutes. Those of the current iteration are drawn together into the part of it that
 * has passed, so that whenever the demo is started nothing in it has yet to happen.
 */
export function timeOf(moment: DemoMoment, now: number): number {
  const [week = '', day = '', clock = ''] = moment.split(' ');
  const [hour, minute] = clock.split(':').map(Number);
  const inWeek = weekdayNames.indexOf(day) * DAY + ((hour ?? 0) * 60 + (minute ?? 0)) * MINUTE;
  const start = currentIterationStart(now);
  if (Number(week) !== 0) return start + Number(week) * WEEK + inWeek;
  const passed = ((now - start) * inWeek) / WEEK;
  return start + Math.floor(passed / MINUTE) * MINUTE;
}
