/**
 * A moment as a server wrote it. `text` is kept as it came, and shown so where it cannot be read; `time` is milliseconds since the
 * epoch and is absent when the zone is not one we know (protocol.md, Dates: never silently taken for UTC).
 */
export interface ZonedDate {
  readonly text: string;
  readonly time?: number;
}

/**
 * The day that a server wrote, whatever its zone and the reader's: midnight of that day in UTC, in milliseconds since the epoch. `undefined`
 * when it wrote none that can be read.
 */
export function calendarDay(date: ZonedDate | undefined): number | undefined {
  const [, year, month, day] = /^(\d{4})[/-](\d{1,2})[/-](\d{1,2})/.exec(withMonthNumber(date?.text ?? '')) ?? [];
  return day === undefined ? date?.time : Date.UTC(Number(year), Number(month) - 1, Number(day));
}

/**
 * The deadline on a day, such as `2027-12-31`: noon, so that the day is the same one in nearly every zone. `undefined` for what is no
 * day, or one before the year 100, which servers take for another.
 */
export function deadlineOn(day: string): Required<ZonedDate> | undefined {
  const time = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T12:00:00Z`) : Number.NaN;
  const isDay = !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) && !day.startsWith('00');
  return isDay ? { text: `${day.replaceAll('-', '/')} 12:00:00 UTC`, time } : undefined;
}

/** How days are counted somewhere, each by its number since 1 January 1970. */
export interface Days {
  /** The day of a moment, which is in milliseconds since the epoch. */
  dayAt(time: number): number;
  /** The moment with which a day begins. */
  startOf(day: number): number;
}

const DAY_MS = 86_400_000;

export const utcDays: Days = { dayAt: (time) => Math.floor(time / DAY_MS), startOf: (day) => day * DAY_MS };

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;
/** Every part has a length at most, so that no text costs more than a short one. */
const NAMED_MONTH = /^(?:([a-z]{3,9})\.? {1,3}(\d{1,2})|(\d{1,2}) {1,3}([a-z]{3,9})\.?),? {1,3}(\d{4})(?!\d)/i;

/** A date that begins with a day such as `Dec 31, 2027` or `31 December 2027`, with `2027/12/31` instead; any other text as it is. */
export function withMonthNumber(text: string): string {
  const [named = '', month, day, dayBefore, monthBehind, year] = NAMED_MONTH.exec(text) ?? [];
  const name = (month ?? monthBehind ?? '').toLowerCase();
  const index = MONTHS.findIndex((each) => named !== '' && each.toLowerCase().startsWith(name));
  return index < 0 ? text : `${year}/${index + 1}/${day ?? dayBefore}${text.slice(named.length)}`;
}

/** The day of a moment, in UTC, as `Dec 31, 2027`. */
export function namedDay(time: number): string {
  const date = new Date(time);
  return `${MONTHS[date.getUTCMonth()]?.slice(0, 3)} ${date.getUTCDate()}, ${date.getUTCFullYear()}`;
}

/** A day as people of `locale` write it, for instance "Nov 30, 2026"; what the server wrote where that is no day. */
export function dayText(date: ZonedDate, locale: string): string {
  const day = calendarDay(date);
  if (day === undefined) return date.text;
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(day);
}
