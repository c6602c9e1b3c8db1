import { TrackerError } from '../errors.ts';
import type { Project } from '../story/project.ts';
import type { Story } from '../story/story.ts';
import { folded } from '../text.ts';
import { t } from '../translation.ts';
import type { FilterTerm } from './filterTerms.ts';

/** What a filter asks of the project itself. */
export type ProjectTest = (project: Pick<Project, 'id' | 'name'>) => boolean;

/** As `Array.sort` takes it; stories that are equal by it stay in priority order. */
export type StoryOrder = (one: Story, other: Story) => number;

export const PROJECT = 'project';
export const SORT = 'sort';

/** Keys that choose projects and an order rather than stories: the tree takes them, servers do not (ours). */
export const VIEW_KEYS: readonly string[] = [PROJECT, SORT];

export function isViewTerm({ key }: FilterTerm): boolean {
  return key !== undefined && VIEW_KEYS.includes(key);
}

/** One for each `project:`: its ID, or part of its name. */
export function projectTests(terms: readonly FilterTerm[]): readonly ProjectTest[] {
  return terms
    .filter(({ key }) => key === PROJECT)
    .map(({ values, isNegated = false }) => {
      const wanted = values.map(folded);
      return ({ id, name }) => {
        const text = folded(name);
        return wanted.some((value) => text.includes(value) || value.replace(/^#/, '') === String(id)) !== isNegated;
      };
    });
}

interface Sorting {
  /** What stories are compared by; `undefined` comes last, whichever the direction. */
  readonly valueOf: (story: Story) => number | string | undefined;
  readonly isDescending?: true;
}

const SORTINGS: ReadonlyMap<string, Sorting> = new Map<string, Sorting>([
  ['updated', { valueOf: ({ updatedAt, createdAt }) => (updatedAt ?? createdAt)?.time, isDescending: true }],
  ['created', { valueOf: ({ createdAt }) => createdAt?.time, isDescending: true }],
  ['points', { valueOf: ({ estimate = -1 }) => (estimate < 0 ? undefined : estimate), isDescending: true }],
  ['name', { valueOf: ({ name }) => folded(name) }],
  ['owner', { valueOf: ({ ownedBy }) => ownedBy && folded(ownedBy) }],
  ['deadline', { valueOf: ({ deadline }) => deadline?.time }],
  ['id', { valueOf: ({ id }) => id }],
]);

const PRIORITY = 'priority';

/** What `sort:` takes, most used first; each but `priority` also with `-asc` or `-desc` behind it. */
export const SORT_VALUES: readonly string[] = [...SORTINGS.keys(), PRIORITY];

/**
 * The order that `sort:` asks for, such as `sort:updated` or `sort:points-asc,name`: later values decide between stories that are equal
 * by the former ones. `undefined` for priority order. Throws `input` for other values, and for `-sort:`.
 */
export function storyOrder(terms: readonly FilterTerm[]): StoryOrder | undefined {
  const sorts = terms.filter(({ key }) => key === SORT);
  if (sorts.some(({ isNegated }) => isNegated)) {
    throw new TrackerError('input', t('To reverse an order, put “-asc” or “-desc” behind it, as in sort:updated-asc.'));
  }
  const orders = sorts.flatMap(({ values }) => values.map(orderOf)).filter((order) => order !== undefined);
  if (orders.length === 0) return undefined;
  return (one, other) => {
    for (const order of orders) {
      const compared = order(one, other);
      if (compared !== 0) return compared;
    }
    return 0;
  };
}

function orderOf(value: string): StoryOrder | undefined {
  const wanted = folded(value);
  if (wanted === PRIORITY) return undefined;
  const [, name = wanted, direction] = /^(\w{1,16})-(asc|desc)$/.exec(wanted) ?? [];
  const sorting = SORTINGS.get(name);
  if (!sorting) {
    throw new TrackerError(
      'input',
      t('“sort:” takes {0}, also with -asc or -desc behind it; not “{1}”.', SORT_VALUES.join(', '), value),
    );
  }
  const isDescending = direction === undefined ? sorting.isDescending === true : direction === 'desc';
  return (one, other) => compared(sorting.valueOf(one), sorting.valueOf(other), isDescending);
}

function compared(one: number | string | undefined, other: number | string | undefined, isDescending: boolean): number {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
  if (one === other) return 0;
  return one < other === isDescending ? 1 : -1;
}
