import type { Days } from '../calendar.ts';
import { TrackerError } from '../errors.ts';
import { MAX_FILTER_WORD, MAX_FILTER_WORDS } from '../limits.ts';
import { nearestName } from '../nearestName.ts';
import type { Story } from '../story/story.ts';
import { folded } from '../text.ts';
import { t } from '../translation.ts';
import {
  claimed,
  type FilterContext,
  filterDay,
  filterKeys,
  missingTests,
  NONE,
  type StoryTest,
} from './filterKeys.ts';
import { type FilterTerm, filterTerms, hasLoneMinus } from './filterTerms.ts';
import { foldedStory } from './foldedStory.ts';
import { isViewTerm, type ProjectTest, projectTests, type StoryOrder, storyOrder, VIEW_KEYS } from './viewTerms.ts';

export type { FilterContext } from './filterKeys.ts';

/** A filter that was understood; `filterOf` makes it. */
export interface Filter {
  /** A story has to pass every one. */
  readonly tests: readonly StoryTest[];
  readonly includesDone: boolean;
}

/** What a person typed, which says more than servers take. */
export interface TypedFilter extends Filter {
  /** A project has to pass every one. */
  readonly projectTests: readonly ProjectTest[];
  /** How to sort the stories; absent for priority order. */
  readonly order?: StoryOrder;
}

export const INCLUDE_DONE = 'includedone';

/**
 * Reads `type:bug state:started owner:me -label:"to do" points:>3 words` (protocol.md, Story filter) and what servers do not
 * know: `-key:value`, `project:` and `sort:` (ours). Throws `input`, with a sentence for whoever typed it, for an unknown key or a
 * value that its key cannot take.
 */
export function parseFilter(text: string): TypedFilter {
  const terms = filterTerms(text);
  refuseTooMany(terms);
  refuseLoneMinus(text);
  const order = storyOrder(terms);
  return {
    ...filterFrom(
      terms.filter((term) => !isViewTerm(term)),
      typedTest,
    ),
    projectTests: projectTests(terms),
    ...(order && { order }),
  };
}

/** The filter of parts that a server was sent. Throws `input`, as `parseFilter` does. */
export function filterOf(terms: readonly FilterTerm[]): Filter {
  refuseTooMany(terms);
  const [negated] = terms.filter(({ isNegated }) => isNegated);
  if (negated) throw unknownKey(`-${negated.key}`, []);
  return filterFrom(terms, (term) => testOf(term));
}

function filterFrom(terms: readonly FilterTerm[], testFor: (term: FilterTerm) => StoryTest): Filter {
  const claims = terms
    .filter(isIncludeDone)
    .flatMap(({ values, isNegated = false }) => values.map((value) => claimed(value, INCLUDE_DONE) !== isNegated));
  return {
    tests: terms.filter((term) => !isIncludeDone(term)).map(testFor),
    includesDone: claims.at(-1) ?? terms.length === 0,
  };
}

/** What only people say: `-key:value`, and `none` for what is missing. */
function typedTest(term: FilterTerm): StoryTest {
  const named = testOf(term, VIEW_KEYS);
  const missing = term.values.some((value) => folded(value) === NONE) ? missingTests.get(term.key ?? '') : undefined;
  const test: StoryTest = missing ? (...story) => named(...story) || missing(...story) : named;
  return term.isNegated ? (...story) => !test(...story) : test;
}

export function matches(filter: Filter, story: Story, context: FilterContext): boolean {
  return filter.tests.every((test) => test(story, context));
}

/** Whether stories of done iterations stay out: with any filter, unless it says `includedone:true` (protocol.md, Story filter). */
export function hidesDone(filter: Filter): boolean {
  return !filter.includesDone;
}

function isIncludeDone({ key }: FilterTerm): boolean {
  return key === INCLUDE_DONE;
}

function testOf({ key, values }: FilterTerm, otherKeys: readonly string[] = []): StoryTest {
  if (key === undefined) return textTest(values);
  const known = filterKeys.get(key);
  if (!known) throw unknownKey(key, otherKeys);
  const tests = values.map((value) => known.test(value, key));
  return (story, context) => tests.some((test) => test(story, context));
}

/** In the name, the description, a label, or who requested or owns it; a number, with or without `#`, also means the story of that id. */
function textTest(values: readonly string[]): StoryTest {
  if (values.some(({ length }) => length > MAX_FILTER_WORD))
    throw new TrackerError('input', t('A filter word can have at most {0} characters. Shorten it.', MAX_FILTER_WORD));
  const wanted = values.map(folded);
  const ids = new Set(wanted.map((value) => value.replace(/^#/, '')));
  return (story) => {
    if (ids.has(String(story.id))) return true;
    const { texts } = foldedStory(story);
    return wanted.some((value) => texts.some((text) => text.includes(value)));
  };
}

/** Before anything is compared: every story is compared with every word. */
function refuseTooMany(terms: readonly FilterTerm[]): void {
  if (terms.reduce((sum, { values }) => sum + values.length, 0) <= MAX_FILTER_WORDS) return;
  throw new TrackerError(
    'input',
    t('A filter can have at most {0} words and values. Remove some, or filter in several steps.', MAX_FILTER_WORDS),
  );
}

function refuseLoneMinus(text: string): void {
  if (!hasLoneMinus(text)) return;
  throw new TrackerError(
    'input',
    t('“-” leaves out what a key and a value say, as in -label:api. Add them, or remove it.'),
  );
}

function unknownKey(key: string, otherKeys: readonly string[]): TrackerError {
  const known = [...filterKeys.keys(), INCLUDE_DONE, ...otherKeys];
  const meant = nearestName(key, known);
  const unknown = t('Unknown filter key “{0}:”.', key);
  if (meant !== undefined) return new TrackerError('input', t('{0} Did you mean “{1}:”?', unknown, meant));
  return new TrackerError('input', t('{0} Use {1}, or put words with a colon in quotes.', unknown, known.join(', ')));
}

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
 * fit. `now` is in milliseconds since the epoch; with `days`, which count as a person does, servers are asked from a day that none of
 * them can take for a later one.
 */
export function doneQuery(text: string, now: number, days?: Days): string | undefined {
  const terms = filterTerms(text);
  if (!reachesDone(text) || terms.some(fitsNoneDone)) return undefined;
  // Words come first: behind a value they are part of it for servers.
  const [words, keyed] = [terms.filter(({ key }) => key === undefined), terms.filter(({ key }) => key !== undefined)];
  const always = ['state:accepted', `${INCLUDE_DONE}:true`];
  const asked: string[] = [];
  let room = { values: MAX_FILTER_WORDS - always.length, characters: LONGEST_QUERY };
  for (const term of [...words, ...keyed]) {
    for (const text of told(term, now, days)) {
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

function told({ key, values, isNegated }: FilterTerm, now: number, days?: Days): readonly string[] {
  if (isNegated || (key !== undefined && values.some((value) => folded(value) === NONE))) return [];
  const said = key === undefined ? words(values) : valuesFor(key, values, now, days);
  return said === undefined || !said.every(isSayable) ? [] : [(key === undefined ? '' : `${key}:`) + said.map(quoted)];
}

/** A number also means a story here, which text would not find. Not shown: whether servers take several words for "or". */
function words(values: readonly string[]): readonly string[] | undefined {
  return values.length > 1 || values.some((value) => /^#?\d+$/.test(value)) ? undefined : values;
}

/** No zone is further than this from any other's day. */
const FURTHEST_ZONE_MS = 14 * 60 * 60 * 1000;

function valuesFor(key: string, values: readonly string[], now: number, days?: Days): readonly string[] | undefined {
  if (key === 'id') return values.map((value) => value.replace('#', ''));
  const known = filterKeys.get(key);
  if (!known?.isShared) return undefined;
  if (known.values !== 'day') return values;
  const earlier = days ? FURTHEST_ZONE_MS : 0;
  return values.map((value) => dayText(filterDay(value)(now, days) - earlier));
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
