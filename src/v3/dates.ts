import { withMonthNumber, type ZonedDate } from '../core/calendar.ts';
import { MAX_NUMBER } from '../core/limits.ts';
import { DAY_STARTS_IN_UTC, zoneOffset } from './assumptions.ts';

const DATE =
  /^(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?:(?:[ T]+)(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(\S.*)?)?$/;
const OFFSET = /^(?:UTC|GMT)?([+-])(\d{2}):?(\d{2})?$/;
const MINUTE = 60_000;
const ZERO = '0'.charCodeAt(0);
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;
/** JavaScript takes years below it for others. */
const FIRST_YEAR = 100;

/**
 * A date as a server or client writes it: `YYYY/MM/DD HH:MM:SS ZONE`, ISO 8601, or the day alone, the month as a number or by its
 * English name. An unknown zone and an impossible date leave `time` out (protocol.md, Dates); so does a text that is too long to be
 * one, which is cut.
 */
export function readZonedDate(text: string): ZonedDate {
  if (text.length > MAX_NUMBER) return { text: `${text.slice(0, MAX_NUMBER)}…` };
  const time = usualTime(text) ?? timeOf(withMonthNumber(text.trim()));
  return time === undefined ? { text } : { text, time };
}

/** Of exactly `YYYY/MM/DD HH:MM:SS UTC`, which nearly all dates are; it takes a fraction of what `timeOf` does. */
function usualTime(text: string): number | undefined {
  if (text.length !== 23 || !text.endsWith(' UTC')) return undefined;
  if (text[4] !== '/' || text[7] !== '/' || text[10] !== ' ' || text[13] !== ':' || text[16] !== ':') return undefined;
  const year = digits(text, 0) * 100 + digits(text, 2);
  const [month, day] = [digits(text, 5), digits(text, 8)];
  const [hour, minute, second] = [digits(text, 11), digits(text, 14), digits(text, 17)];
  // Anything but two digits is NaN, which no comparison lets pass.
  return utcTime(year, month, day, hour, minute, second);
}

function digits(text: string, at: number): number {
  const [tens, ones] = [text.charCodeAt(at) - ZERO, text.charCodeAt(at + 1) - ZERO];
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

function timeOf(text: string): number | undefined {
  const match = DATE.exec(text);
  if (!match) return undefined;
  const [, year, , month, day, hour, minute, second, fraction, zone] = match;
  const offset = hour === undefined ? DAY_STARTS_IN_UTC : offsetOf(zone);
  const local = utcTime(+(year ?? 0), +(month ?? 0), +(day ?? 0), +(hour ?? 0), +(minute ?? 0), +(second ?? 0));
  if (offset === undefined || local === undefined) return undefined;
  return local + (fraction === undefined ? 0 : Math.floor(Number(`0.${fraction}`) * 1000)) - offset * MINUTE;
}

/** Minutes east of UTC; undefined for a zone that is missing or not known. */
function offsetOf(zone: string | undefined): number | undefined {
  if (zone === undefined) return undefined;
  const numeric = OFFSET.exec(zone);
  if (!numeric) return zoneOffset(zone);
  const [, sign, hours, minutes] = numeric;
  if (Number(hours) > 14 || Number(minutes ?? 0) > 59) return undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes ?? 0));
}

function utcTime(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): number | undefined {
  if (!(hour <= 23 && minute <= 59 && second <= 59 && year >= FIRST_YEAR)) return undefined;
  return day >= 1 && day <= daysIn(year, month) ? Date.UTC(year, month - 1, day, hour, minute, second) : undefined;
}

/** NaN for months that are none. */
function daysIn(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? Number.NaN);
}

/** `time` (milliseconds since the epoch) as our side writes it, in UTC and whole seconds. */
function writeDate(time: number): string {
  return `${writeDay(time)} ${isoText(time).slice(11, 19)} UTC`;
}

/** The day of `time` in UTC as `YYYY/MM/DD`, the form of queries and of `start_date`. */
export function writeDay(time: number): string {
  return isoText(time).slice(0, 10).replaceAll('-', '/');
}

/** Years of four digits only; the wire form has no others. */
function isoText(time: number): string {
  const text = new Date(time).toISOString();
  if (text.length !== 24) throw new RangeError(`The year of ${text} cannot be written.`);
  return text;
}

/** `time` as it reads when it has gone over the wire. */
export function zonedDate(time: number): ZonedDate {
  return { text: writeDate(time), time: Math.floor(time / 1000) * 1000 };
}
