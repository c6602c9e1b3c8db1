import { readZonedDate } from '../../v3/dates.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const ENGLISH = /^([A-Za-z]{3})[a-z]* (\d{1,2}), (\d{4})$/;

/** The first moment, in UTC, of a day such as `Jan 5, 2017`, or what the API's dates mean; undefined for anything else. */
export function readCsvDate(text: string): number | undefined {
  const trimmed = text.trim();
  const [, name = '', day = '', year = ''] = ENGLISH.exec(trimmed) ?? [];
  if (name === '') return readZonedDate(trimmed).time;
  const month = MONTHS.findIndex((each) => each.toLowerCase() === name.toLowerCase()) + 1;
  const two = (part: string | number): string => String(part).padStart(2, '0');
  return readZonedDate(`${year}/${two(month)}/${two(day)}`).time;
}

/** The day of a moment, in UTC, as the closed service wrote it: `Jan 5, 2017`. */
export function writeCsvDate(time: number): string {
  const date = new Date(time);
  return `${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()}`;
}
