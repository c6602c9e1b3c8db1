import { TrackerError } from '../errors.ts';
import { MAX_FILTER_WORD, MAX_FILTER_WORDS } from '../limits.ts';
import { nearestName } from '../nearestName.ts';
import type { Story } from '../story/story.ts';
import { folded } from '../text.ts';
import { claimed, type FilterContext, filterKeys, missingTests, NONE, type StoryTest } from './filterKeys.ts';
import { type FilterTerm, filterTerms } from './filterTerms.ts';
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
    throw new TrackerError('input', `A filter word can have at most ${MAX_FILTER_WORD} characters. Shorten it.`);
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
    `A filter can have at most ${MAX_FILTER_WORDS} words and values. Remove some, or filter in several steps.`,
  );
}

function unknownKey(key: string, otherKeys: readonly string[]): TrackerError {
  const known = [...filterKeys.keys(), INCLUDE_DONE, ...otherKeys];
  const meant = nearestName(key, known);
  const question = meant === undefined ? '' : ` Did you mean “${meant}:”?`;
  return new TrackerError(
    'input',
    `Unknown filter key “${key}:”.${question} Use ${known.join(', ')}, or put words with a colon in quotes.`,
  );
}
