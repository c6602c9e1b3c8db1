import { isInProgress } from '../backlog/workflow.ts';
import { type Days, utcDays, withMonthNumber } from '../calendar.ts';
import { TrackerError } from '../errors.ts';
import type { Integration, Project } from '../story/project.ts';
import { type Story, UNESTIMATED } from '../story/story.ts';
import { folded } from '../text.ts';
import { t } from '../translation.ts';
import { type FoldedStory, foldedStory } from './foldedStory.ts';

const YEAR_FIRST = /^(\d{4})([-/])(\d{1,2})\2(\d{1,2})$/;
const MONTH_FIRST = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;
const BACK = /^(\d{1,4})([dw])$/;

/**
 * The start of a day such as `2026/03/31`, `2026-03-31`, `3/31/2026`, `Mar 31, 2026`, `today`, `yesterday`, or so many
 * days or weeks before today: `7d`, `2w`. Takes now, in milliseconds, and how days are counted, in UTC when left out. Throws `input` for anything else.
 */
export function filterDay(value: string): (now: number, days?: Days) => number {
  const text = withMonthNumber(value.trim().toLowerCase());
  const daysBack = daysBackOf(text);
  if (daysBack !== undefined) return (now, days = utcDays) => days.startOf(days.dayAt(now) - daysBack);
  const time = timeOf(text);
  if (time !== undefined) return (_now, days = utcDays) => days.startOf(utcDays.dayAt(time));
  throw new TrackerError('input', t('“{0}” is not a day. Use 2026/03/31, today, yesterday, 7d or 2w.', value));
}

function daysBackOf(text: string): number | undefined {
  if (text === 'today') return 0;
  if (text === 'yesterday') return 1;
  const [, count, unit] = BACK.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (unit === 'w' ? 7 : 1);
}

function timeOf(text: string): number | undefined {
  const yearFirst = YEAR_FIRST.exec(text);
  if (yearFirst) return utcDay(Number(yearFirst[1]), Number(yearFirst[3]), Number(yearFirst[4]));
  const monthFirst = MONTH_FIRST.exec(text);
  if (monthFirst) return utcDay(Number(monthFirst[3]), Number(monthFirst[1]), Number(monthFirst[2]));
  return undefined;
}

/** Undefined for a day that no calendar has. */
function utcDay(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined;
}

const COMPARISON = /^(>=|<=|>|<|=)?(\d{1,9}(?:\.\d{1,9})?)$/;

const comparisons: Readonly<Record<string, (points: number, wanted: number) => boolean>> = {
  '>': (points, wanted) => points > wanted,
  '>=': (points, wanted) => points >= wanted,
  '<': (points, wanted) => points < wanted,
  '<=': (points, wanted) => points <= wanted,
  '=': (points, wanted) => points === wanted,
};

/**
 * `3`, `>3`, `>=3`, `<3`, `<=3`; `none` or `-1` for what can be estimated and is not. A story without an estimate is
 * neither more nor less than any number. Throws `input` for anything else.
 */
function pointsTest(value: string, key: string): (story: Pick<Story, 'estimate'>) => boolean {
  if (folded(value) === NONE || value === String(UNESTIMATED)) return ({ estimate }) => estimate === UNESTIMATED;
  const [, sign = '=', digits] = COMPARISON.exec(value) ?? [];
  const holds = comparisons[sign];
  if (digits === undefined || !holds) {
    throw new TrackerError('input', t('“{0}:” takes a number, as in {0}:3 or {0}:>3, or none; not “{1}”.', key, value));
  }
  const wanted = Number(digits);
  return ({ estimate }) => estimate !== undefined && estimate !== UNESTIMATED && holds(estimate, wanted);
}

/** What the answer to a filter depends on besides the story. */
export interface FilterContext {
  /** Name of the person who asks: `me` in `owner:me`. */
  readonly me?: string;
  /** Initials by name, so that `owner:AL` finds them. */
  readonly initials?: ReadonlyMap<string, string>;
  /** What the project's integrations are called, by id: see `integrationNames`. */
  readonly integrations?: ReadonlyMap<number, readonly string[]>;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** How the days of a filter are counted: as whoever asks counts them, in UTC when left out. */
  readonly days?: Days;
}

/** By what a filter may name each integration: its name or its kind. */
export function integrationNames(
  integrations: readonly Pick<Integration, 'id' | 'name' | 'type'>[],
): ReadonlyMap<number, readonly string[]> {
  return new Map(integrations.map(({ id, name, type }) => [id, [folded(name), folded(type)]]));
}

/** What people and integrations of a project are called, which a filter may ask for. */
export function filterNamesOf({
  memberships,
  integrations,
}: Pick<Project, 'memberships' | 'integrations'>): Required<Pick<FilterContext, 'initials' | 'integrations'>> {
  return {
    initials: new Map(memberships.map(({ person }) => [person.name, person.initials ?? ''])),
    integrations: integrationNames(integrations),
  };
}

export type StoryTest = (story: Story, context: FilterContext) => boolean;

type TestMaker = (value: string, key: string) => StoryTest;

/** Of what kind the values of a key are. */
export type FilterValueKind =
  | 'number'
  | 'text'
  | 'type'
  | 'state'
  | 'label'
  | 'person'
  | 'day'
  | 'claim'
  | 'integration'
  | 'points';

interface FilterKey {
  readonly values: FilterValueKind;
  /** What it asks of a story for one value. Throws `input` for a value that it cannot take. */
  readonly test: TestMaker;
  /** Whether servers take its values as we do (protocol.md, Story filter); days in their own notation. */
  readonly isShared?: true;
}

const KEYS: Readonly<Record<string, FilterKey>> = {
  id: { values: 'number', test: idTest },
  type: { values: 'type', test: (value) => isOneOf(value, (story) => [story.line('type')]), isShared: true },
  state: { values: 'state', test: (value) => isOneOf(value, (story) => [story.line('state')]) },
  label: { values: 'label', test: (value) => isOneOf(value, ({ labels }) => labels), isShared: true },
  requester: { values: 'person', test: (value) => isPerson(value, 'requester'), isShared: true },
  owner: { values: 'person', test: (value) => isPerson(value, 'owner'), isShared: true },
  mywork: { values: 'person', test: isWorkOf },
  created_since: {
    values: 'day',
    test: (value) => since(value, ({ createdAt }) => [createdAt?.time]),
    isShared: true,
  },
  modified_since: {
    values: 'day',
    test: (value) => since(value, ({ updatedAt, createdAt }) => [updatedAt?.time, createdAt?.time]),
    isShared: true,
  },
  has_attachment: {
    values: 'claim',
    test: (value, key) => claim(value, key, ({ attachments }) => attachments.length > 0),
    isShared: true,
  },
  has_external_id: {
    values: 'claim',
    test: (value, key) => claim(value, key, ({ ticket }) => ticket !== undefined),
    isShared: true,
  },
  external_id: { values: 'text', test: isTicket },
  integration: { values: 'integration', test: isIntegration },
  points: { values: 'points', test: pointsTest },
  estimate: { values: 'points', test: pointsTest },
};

/** By what a filter asks for stories (protocol.md, Story filter). */
export const filterKeys: ReadonlyMap<string, FilterKey> = new Map(Object.entries(KEYS));

/** `true` or `false`; throws `input` for anything else. */
export function claimed(value: string, key: string): boolean {
  if (isSame(value, 'true')) return true;
  if (isSame(value, 'false')) return false;
  throw new TrackerError('input', t('“{0}:” takes true or false, not “{1}”.', key, value));
}

function isSame(text: string, value: string): boolean {
  return folded(text) === folded(value);
}

function idTest(value: string): StoryTest {
  const digits = /^#?(\d{1,15})$/.exec(value)?.[1];
  if (digits === undefined) throw new TrackerError('input', t('“id:” takes story numbers, not “{0}”.', value));
  const wanted = Number(digits);
  return ({ id }) => id === wanted;
}

function isOneOf(value: string, textsOf: (story: FoldedStory) => readonly string[]): StoryTest {
  const wanted = folded(value);
  return (story) => textsOf(foldedStory(story)).includes(wanted);
}

/** What people type for stories that have nothing there (ours): `owner:none`. To servers it is a name like others. */
export const NONE = 'none';

/** Whether a story has nothing there, by the keys that take `none`; `points:none` is servers' own. */
export const missingTests: ReadonlyMap<string, StoryTest> = new Map<string, StoryTest>([
  ['owner', ({ ownedBy }) => ownedBy === undefined],
  ['requester', ({ requestedBy }) => requestedBy === undefined],
  ['label', ({ labels }) => labels.length === 0],
]);

/** By whole name, one word of it, or initials; `me` is whoever asks. */
function isPerson(value: string, part: 'requester' | 'owner'): StoryTest {
  const wanted = folded(value);
  return (story, { me, initials }) => {
    const name = part === 'owner' ? story.ownedBy : story.requestedBy;
    if (name === undefined) return false;
    const names = foldedStory(story)[part];
    if (me !== undefined && wanted === 'me') return names[0] === folded(me);
    return names.includes(wanted) || folded(initials?.get(name) ?? '') === wanted;
  };
}

/** What waits for a person: stories of theirs not yet accepted, and delivered ones they asked for. */
function isWorkOf(value: string): StoryTest {
  const [isOwner, isRequester] = [isPerson(value, 'owner'), isPerson(value, 'requester')];
  return (story, context) => {
    const isOpen = ['unscheduled', 'unstarted'].includes(story.state) || isInProgress(story.state);
    if (isOpen && isOwner(story, context)) return true;
    return story.state === 'delivered' && isRequester(story, context);
  };
}

function isTicket(value: string): StoryTest {
  const wanted = folded(value);
  return (story) => foldedStory(story).ticket?.id === wanted;
}

/** By the name or kind of the integration, or by what its tickets are called in a story: `jira` for `jira_id`. */
function isIntegration(value: string): StoryTest {
  const wanted = folded(value);
  return (story, { integrations }) => {
    const names = integrations?.get(story.ticket?.integrationId ?? 0) ?? [];
    return story.ticket !== undefined && (names.includes(wanted) || foldedStory(story).ticket?.prefix === wanted);
  };
}

function since(value: string, timesOf: (story: Story) => readonly (number | undefined)[]): StoryTest {
  const start = filterDay(value);
  let last: { readonly now: number; readonly days: Days | undefined; readonly from: number } | undefined;
  return (story, { now, days }) => {
    // Thousands of stories are asked in a moment, and zones take time.
    if (last?.now !== now || last.days !== days) last = { now, days, from: start(now, days) };
    const { from } = last;
    return timesOf(story).some((time) => time !== undefined && time >= from);
  };
}

function claim(value: string, key: string, holds: (story: Story) => boolean): StoryTest {
  const wanted = claimed(value, key);
  return (story) => holds(story) === wanted;
}
