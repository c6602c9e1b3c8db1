import { MAX_FILTER_WORDS } from '../limits.ts';
import { folded } from '../text.ts';
import { type Filter, hidesDone, INCLUDE_DONE, parseFilter } from './filter.ts';
import { filterDay, filterKeys, NONE } from './filterKeys.ts';
import { type FilterTerm, filterTerms } from './filterTerms.ts';

/**
 * Whether a filter means done iterations too: one that says so, and, unless it says otherwise, one that asks for accepted
 * stories or for certain ones. Servers want to be told (protocol.md, Story filter); `doneQuery` tells them.
 */
export function reachesDone(text: string, filter: Filter = parseFilter(text)): boolean {
  if (!hidesDone(filter)) return true;
  const terms = filterTerms(text);
  return !terms.some(({ key }) => key === INCLUDE_DONE) && terms.some(namesDone);
}

/** Characters of a filter that is sent: in an address each may take nine, and servers take some 16,000. */
const LONGEST_QUERY = 1_000;

/**
 * The filter for `GET …/stories` that finds what a filter may fit in done iterations: all that the server's grammar can say
 * of it, as far as there is room, so that the answer has every such story and perhaps others. `undefined` when none there can
 * fit. `now` is in milliseconds since the epoch.
 */
export function doneQuery(text: string, now: number): string | undefined {
  const terms = filterTerms(text);
  if (!reachesDone(text) || terms.some(fitsNoneDone)) return undefined;
  // Words come first: behind a value they are part of it for servers.
  const [words, keyed] = [terms.filter(({ key }) => key === undefined), terms.filter(({ key }) => key !== undefined)];
  const always = ['state:accepted', `${INCLUDE_DONE}:true`];
  const asked: string[] = [];
  let room = { values: MAX_FILTER_WORDS - always.length, characters: LONGEST_QUERY };
  for (const term of [...words, ...keyed]) {
    for (const text of told(term, now)) {
      const left = { values: room.values - term.values.length, characters: room.characters - text.length - 1 };
      if (left.values < 0 || left.characters < 0) continue;
      asked.push(text);
      room = left;
    }
  }
  return [...asked, ...always].join(' ');
}

function namesDone({ key, values, isNegated }: FilterTerm): boolean {
  if (isNegated) return false;
  return key === 'id' || (key === 'state' && values.some(isAccepted));
}

/** Stories of done iterations are accepted, and so nobody's work. */
function fitsNoneDone({ key, values, isNegated }: FilterTerm): boolean {
  if (isNegated) return key === 'state' && values.some(isAccepted);
  return key === 'mywork' || (key === 'state' && !values.some(isAccepted));
}

function isAccepted(value: string): boolean {
  return folded(value) === 'accepted';
}

function told({ key, values, isNegated }: FilterTerm, now: number): readonly string[] {
  if (isNegated || (key !== undefined && values.some((value) => folded(value) === NONE))) return [];
  const said = key === undefined ? words(values) : valuesFor(key, values, now);
  return said === undefined || !said.every(isSayable) ? [] : [(key === undefined ? '' : `${key}:`) + said.map(quoted)];
}

/** A number also means a story here, which text would not find. Not shown: whether servers take several words for "or". */
function words(values: readonly string[]): readonly string[] | undefined {
  return values.length > 1 || values.some((value) => /^#?\d+$/.test(value)) ? undefined : values;
}

function valuesFor(key: string, values: readonly string[], now: number): readonly string[] | undefined {
  if (key === 'id') return values.map((value) => value.replace('#', ''));
  const known = filterKeys.get(key);
  if (!known?.isShared) return undefined;
  return known.values === 'day' ? values.map((value) => dayText(filterDay(value)(now))) : values;
}

function dayText(time: number): string {
  return new Date(time).toISOString().slice(0, 10).replaceAll('-', '/');
}

/** Not shown: how servers take a quotation mark in a value. */
function isSayable(value: string): boolean {
  return !/["\\]/.test(value);
}

function quoted(value: string): string {
  return /[\s,:]/u.test(value) ? `"${value}"` : value;
}
