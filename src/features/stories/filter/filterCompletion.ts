import { type Backlog, storiesOf } from '../../../core/backlog/backlog.ts';
import { storyStates, storyTypes } from '../../../core/backlog/workflow.ts';
import { INCLUDE_DONE, parseFilter } from '../../../core/filter/filter.ts';
import { type FilterValueKind, filterKeys, missingTests, NONE } from '../../../core/filter/filterKeys.ts';
import { type FilterTerm, filterTerms, quoted } from '../../../core/filter/filterTerms.ts';
import { PROJECT, SORT, SORT_VALUES } from '../../../core/filter/viewTerms.ts';
import { nearestName } from '../../../core/nearestName.ts';
import { folded } from '../../../core/text.ts';
import { inSlices } from '../../../host/shell/turnBudget.ts';

/** A way to go on with a filter that is being typed. */
interface Completion {
  /** What is added, as a person reads it: `state:` or `state:started`. */
  readonly label: string;
  /** The whole filter with it. */
  readonly text: string;
}

interface Completions {
  readonly list: readonly Completion[];
  /** The value typed last is none that its key has here, so it is rather to be completed than taken as it is. */
  readonly isUnfinished: boolean;
}

const LIMIT = 50;

/** How the end of `typed` can go on: keys where a word begins, values after a key and after each comma. */
export function completionsOf(typed: string, values: FilterValues): Completions {
  const { before, term } = lastTerm(typed);
  const { sign = '', key, list } = keyed(term) ?? keyed(openKey(before) + term) ?? {};
  if (key === undefined || list === undefined) return { list: keysFor(before, term, values), isUnfinished: false };
  const { given, last } = lastValue(list);
  const known = values.get(key.toLowerCase()) ?? [];
  const wanted = folded(unquoted(last));
  const complete = typed.slice(0, typed.length - list.length) + given;
  const fitting = [...known.filter(startsWith(wanted)), ...known.filter(hasInside(wanted))].slice(0, LIMIT);
  return {
    list: fitting.map((value) => ({ label: `${sign}${key}:${quoted(value)}`, text: `${complete}${quoted(value)} ` })),
    isUnfinished: fitting.length > 0 && !known.some((value) => folded(value) === wanted),
  };
}

interface KeyedTerm {
  /** `-` where it is to be otherwise. */
  readonly sign: string;
  readonly key: string;
  readonly list: string;
}

function keyed(term: string): KeyedTerm | undefined {
  const [, sign = '', key, list] = /^(-?)([\p{L}_]{1,64}):(.*)$/su.exec(term) ?? [];
  return key === undefined || list === undefined ? undefined : { sign, key, list };
}

/** The key behind which there is only a blank yet, with its colon. */
function openKey(before: string): string {
  const { term } = lastTerm(before.trimEnd());
  return /^-?[\p{L}_]{1,64}:$/u.test(term) ? term : '';
}

function keysFor(before: string, term: string, values: FilterValues): readonly Completion[] {
  if (term.startsWith('"')) return [];
  const sign = term.startsWith('-') ? '-' : '';
  const known = [...values.keys()].filter((key) => sign === '' || key !== SORT);
  const keys = known.filter(startsWith(folded(term.slice(sign.length))));
  return keys.map((key) => ({ label: `${sign}${key}:`, text: `${before}${sign}${key}:` }));
}

/** The part after the last space that is not in quotes. */
function lastTerm(typed: string): { readonly before: string; readonly term: string } {
  const start = afterLast(typed, (character) => /\s/u.test(character));
  return { before: typed.slice(0, start), term: typed.slice(start) };
}

function lastValue(list: string): { readonly given: string; readonly last: string } {
  const start = afterLast(list, (character) => character === ',');
  return { given: list.slice(0, start), last: list.slice(start) };
}

function afterLast(text: string, ends: (character: string) => boolean): number {
  let isQuoted = false;
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (isQuoted && character === '\\') index++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && ends(character)) start = index + 1;
  }
  return start;
}

function unquoted(value: string): string {
  return value.replace(/\\(.)|"/gs, '$1');
}

function startsWith(wanted: string): (value: string) => boolean {
  return (value) => folded(value).startsWith(wanted);
}

function hasInside(wanted: string): (value: string) => boolean {
  return (value) => folded(value).indexOf(wanted) > 0;
}

/** Keys whose values are all known, so that another one is likely a slip. */
const COMPLETE = new Set(['type', 'state', 'label', 'owner', 'requester', 'mywork', 'integration', 'project']);

/**
 * The filter that was probably meant where a key or a value is none that there is here but close to one, such as `state:strated`;
 * `undefined` where all is known, or nothing is near. Throws `input` when the text is no filter.
 */
export function meantFilter(typed: string, values: FilterValues): string | undefined {
  const terms = filterTerms(typed);
  const meant = terms.map((term) => meantTerm(term, values));
  return meant.some((term, index) => term !== terms[index]) ? meant.map(textOf).join(' ') : undefined;
}

/** As `meantFilter`, for a text that is no filter: with the key that is near, and the quotation mark that is missing. */
export function mendedFilter(typed: string, values: FilterValues): string | undefined {
  for (const text of [typed, `${typed}"`]) {
    try {
      const mended = meantFilter(text, values) ?? (text === typed ? undefined : text);
      if (mended !== undefined) parseFilter(mended);
      if (mended !== undefined) return mended;
    } catch {
      // Nor is this one a filter.
    }
  }
  return undefined;
}

/** The first value that nothing here has, for keys whose values are all known, as in `state:stopped`. */
export function unknownValue(
  typed: string,
  values: FilterValues,
): { readonly key: string; readonly value: string } | undefined {
  for (const { key, values: given } of filterTerms(typed)) {
    if (key === undefined || !COMPLETE.has(key)) continue;
    const value = given.find((one) => !isKnown(one, values.get(key) ?? []));
    if (value !== undefined) return { key, value };
  }
  return undefined;
}

function meantTerm(term: FilterTerm, values: FilterValues): FilterTerm {
  if (term.key === undefined) return term;
  const key = values.has(term.key) ? term.key : (nearestName(term.key, [...values.keys()]) ?? term.key);
  const known = COMPLETE.has(key) ? (values.get(key) ?? []) : term.values;
  const meant = term.values.map((value) => (isKnown(value, known) ? value : (nearestName(value, known) ?? value)));
  const isSame = key === term.key && meant.every((value, index) => value === term.values[index]);
  return isSame ? term : { ...term, key, values: meant };
}

/** As a whole, or part of one: people and projects are found by words of their names. */
function isKnown(value: string, known: readonly string[]): boolean {
  const wanted = folded(value);
  return known.some((one) => folded(one).includes(wanted));
}

function textOf({ key, values, isNegated }: FilterTerm): string {
  const said = values.map(quoted).join(',');
  return key === undefined ? said : `${isNegated ? '-' : ''}${key}:${said}`;
}

/** What can follow each key of a filter; keys that take any number or any day have examples. */
export type FilterValues = ReadonlyMap<string, readonly string[]>;

const BOTH = ['true', 'false'];
const USED_MOST = ['type', 'state', 'owner', 'label', SORT, PROJECT, 'requester', 'mywork', 'points', 'estimate'];
const LAST = Number.POSITIVE_INFINITY;
const DAYS = ['today', 'yesterday', '7d', '2w'];

/** The values there are in these projects. Gives way while it looks at them. */
export async function filterValues(backlogs: readonly Backlog[]): Promise<FilterValues> {
  const people = new Set(backlogs.flatMap(({ project }) => project.memberships.map(({ person }) => person.name)));
  const labels = new Set(backlogs.flatMap(({ project }) => project.labels.map(String)));
  const [types, states] = [new Set<string>(storyTypes), new Set<string>(storyStates)];
  const points = new Set(backlogs.flatMap(({ project }) => project.pointScale.map(String)));
  await inSlices(backlogs.flatMap(storiesOf), (story) => {
    for (const name of [story.ownedBy, story.requestedBy]) if (name !== undefined) people.add(name);
    for (const label of story.labels) labels.add(label);
    types.add(story.type);
    states.add(story.state);
  });
  const integrations = new Set(backlogs.flatMap(({ project }) => project.integrations.map(({ name }) => name)));
  const values: Readonly<Record<FilterValueKind, readonly string[]>> = {
    number: [],
    text: [],
    type: [...types],
    state: [...states],
    label: sorted(labels).filter((label) => label.trim() !== ''),
    person: ['me', ...sorted(people)],
    day: DAYS,
    claim: BOTH,
    integration: sorted(integrations),
    points: [...points, NONE],
  };
  const known = new Map([...filterKeys].map(([key, { values: kind }]) => [key, values[kind]]));
  for (const key of missingTests.keys()) known.set(key, [...(known.get(key) ?? []), NONE]);
  known.set(PROJECT, sorted(new Set(backlogs.map(({ project }) => project.name))));
  known.set(SORT, SORT_VALUES);
  known.set(INCLUDE_DONE, BOTH);
  return new Map([...known].toSorted(([one], [other]) => placeOf(one) - placeOf(other)));
}

/** In which order keys are offered: those that are used most first. */
function placeOf(key: string): number {
  if (key === 'id') return LAST;
  const place = USED_MOST.indexOf(key);
  return place < 0 ? USED_MOST.length : place;
}

function sorted(values: Iterable<string>): readonly string[] {
  return [...values].toSorted((one, other) => folded(one).localeCompare(folded(other)));
}
