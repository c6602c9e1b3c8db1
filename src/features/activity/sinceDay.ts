import type { Activity } from '../../core/story/activity.ts';

/** A day by its midnight here, in milliseconds since the epoch. */
export type Day = number;

/** No zone is further than this from any other's day. */
const FURTHEST_ZONE_MS = 14 * 60 * 60 * 1000;

export interface DayChoice {
  readonly kind: 'lastWorkingDay' | 'monday' | 'today';
  readonly day: Day;
}

/** From when one may want to tell what one did, the usual first; no day twice. */
export function dayChoices(now: number): readonly DayChoice[] {
  const choices: readonly DayChoice[] = [
    { kind: 'lastWorkingDay', day: lastWorkingDay(now) },
    { kind: 'monday', day: daysBefore(now, (new Date(now).getDay() + 6) % 7) },
    { kind: 'today', day: daysBefore(now, 0) },
  ];
  return choices.filter(({ day }, index) => choices.findIndex((one) => one.day === day) === index);
}

/** Yesterday, and Friday on Sundays and Mondays. */
function lastWorkingDay(now: number): Day {
  const weekday = new Date(now).getDay();
  if (weekday === 1) return daysBefore(now, 3);
  return daysBefore(now, weekday === 0 ? 2 : 1);
}

/** The day that `2026-11-20` or `2026/11/20` names; `undefined` when it names none, or one to come. */
export function dayIn(text: string, now: number): Day | undefined {
  const [, year, month, day] = /^\s*(\d{4})[-/](\d{1,2})[-/](\d{1,2})\s*$/.exec(text) ?? [];
  const date = new Date(Number(year), Number(month) - 1, Number(day));
  const isReal = date.getMonth() === Number(month) - 1 && date.getDate() === Number(day);
  return isReal && date.getTime() <= now ? date.getTime() : undefined;
}

/** The day to ask a server from, as it wants it, early enough for every zone that it may count days in. */
export function askedDay(day: Day): string {
  return new Date(day - FURTHEST_ZONE_MS).toISOString().slice(0, 10).replaceAll('-', '/');
}

function daysBefore(now: number, days: number): Day {
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - days).getTime();
}

/** Why activities may be missing: the server did not answer, or told only the latest so many, back to `from`. */
export type Gap =
  | { readonly kind: 'unanswered' }
  | { readonly kind: 'cutOff'; readonly count: number; readonly from: number };

/** The highest number of activities that one answer holds (api-v3.md, Limits). */
export const ANSWER_LIMIT = 100;
/** A full answer that does not reach back to the day: something between may be known to nobody here. */
export function gapIn(answer: readonly Activity[], day: Day): Gap | undefined {
  if (answer.length < ANSWER_LIMIT) return undefined;
  const times = answer.flatMap(({ occurredAt }) => occurredAt?.time ?? []);
  const from = Math.min(...times);
  return from < day ? undefined : { kind: 'cutOff', count: answer.length, from: Number.isFinite(from) ? from : day };
}
