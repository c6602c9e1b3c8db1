import type { PlannedIteration } from '../../core/backlog/plannedIteration.ts';
import type { Plan } from '../../core/backlog/planning.ts';
import { TrackerError } from '../../core/errors.ts';
import { type Filter, type FilterContext, filterOf, hidesDone, matches } from '../../core/filter/filter.ts';
import { type FilterValueKind, filterKeys, integrationNames } from '../../core/filter/filterKeys.ts';
import { type FilterTerm, filterTerms } from '../../core/filter/filterTerms.ts';
import type { IterationGroup } from '../../core/story/iteration.ts';
import { FILTER_KEY_OF_ELEMENT } from '../../v3/assumptions.ts';
import { longIterations } from '../../v3/iteration.ts';
import { lazily } from '../../v3/longDocument.ts';
import { longStories } from '../../v3/storyList.ts';
import type { Document } from '../cache/answer.ts';
import type { ListedStories } from '../cache/listedStories.ts';
import { iterationOf, type ProjectView } from '../cache/projectViews.ts';
import { type Call, param } from '../call/exchange.ts';
import { badRequest, unprocessable } from '../ground/errors.ts';
import { newSlice } from '../ground/slices.ts';
import { type Reply, requireCaller } from '../http/reply.ts';
import type { Tx } from '../store/database.ts';
import { membershipsOfProject } from '../store/projects/memberships.ts';
import { integrationsOfProject } from '../store/projects/projectParts.ts';
import type { StoryRow } from '../store/stories/storyRows.ts';
import { type Page, readPage } from './page.ts';

interface StoryFilter {
  /** As it was sent; empty when there is none. */
  readonly text: string;
  readonly filter: Filter;
}

/**
 * The filter of a story list. What holds names, labels or days goes on, without quotes, to the next key: `mywork:Nora Vesper state:started`.
 * Other keys have values of one word, behind which words are looked for: `type:bug crash`. A client that repeats the parameter, `filter=type:bug&filter=type:chore`, means any of the values
 * that it gives to one key. Throws `Refusal` 422 with a sentence for whoever wrote the filter.
 */
function readStoryFilter(query: URLSearchParams): StoryFilter {
  const texts = query.getAll('filter').map((text) => text.trim());
  try {
    const terms = texts.map((text) => filterTerms(text, goesOn).map(withOurKey)).reduce(joined, []);
    return { text: texts.join(' ').trim(), filter: filterOf(terms) };
  } catch (error) {
    if (error instanceof TrackerError) throw unprocessable(error.message);
    throw error;
  }
}

/** What values are of several words (protocol.md, Proven since). */
const LONG_VALUES: ReadonlySet<string | undefined> = new Set<FilterValueKind>([
  'text',
  'label',
  'person',
  'day',
  'integration',
]);

function goesOn(key: string): boolean {
  return LONG_VALUES.has(filterKeys.get(FILTER_KEY_OF_ELEMENT.get(key) ?? key)?.values);
}

function withOurKey(term: FilterTerm): FilterTerm {
  const key = FILTER_KEY_OF_ELEMENT.get(term.key ?? '');
  if (filterKeys.get(term.key ?? '')?.values === 'day') return { ...term, values: wholeDays(term.values) };
  return key === undefined ? term : { ...term, key };
}

/** The comma of `Nov 16, 2009` parts no values. */
function wholeDays(values: readonly string[]): readonly string[] {
  const days: string[] = [];
  for (const value of values) {
    const before = /^\d{4}$/.test(value) ? days.pop() : undefined;
    days.push(before === undefined ? value : `${before}, ${value}`);
  }
  return days;
}

/** Values of a key that came before are further choices; all else is asked for besides. */
function joined(before: readonly FilterTerm[], more: readonly FilterTerm[]): readonly FilterTerm[] {
  const isChoice = ({ key }: FilterTerm) => key !== undefined && before.some((term) => term.key === key);
  const choices = more.filter(isChoice);
  const widened = before.map((term) => {
    const further = choices.filter(({ key }) => key === term.key).flatMap(({ values }) => values);
    return { ...term, values: [...term.values, ...further] };
  });
  return [...widened, ...more.filter((term) => !isChoice(term))];
}

/** Stories in priority order, the icebox last; `total` counts all that the filter lets through. */
export async function listStories(call: Call): Promise<Reply> {
  const { answers, views, texts } = call.service;
  const { text: filterText, filter } = readStoryFilter(call.query);
  const { limit, offset } = readPage(call.query);
  if (offset < 0) throw unprocessable('"offset" cannot be negative here.');
  return answers.reply(call, param(call, 'projectId'), async (view, tx) => {
    const stories = await views.storiesOf(tx, view, call.user);
    const listed = (found: readonly StoryRow[]): Document => {
      const shown = found.slice(offset, limit === undefined ? undefined : offset + limit);
      const facts = {
        total: found.length,
        ...(limit !== undefined && { limit }),
        ...(filterText !== '' && { filter: filterText }),
      };
      return stories.document(shown, (item) => longStories(shown, facts, item), texts.item(call.base));
    };
    if (filterText === '') return listed(view.rows);
    const context = await filterContext(call, tx, view);
    return async () => listed(await filtered(call, stories, view, filter, context));
  });
}

async function filtered(
  { request }: Call,
  stories: ListedStories,
  view: ProjectView,
  filter: Filter,
  context: FilterContext,
): Promise<readonly StoryRow[]> {
  return stories.passing(rowsReachedBy(filter, view), (story) => {
    requireCaller(request);
    return matches(filter, story, context);
  });
}

/** The rows that a filter looks at: those of done iterations only where it says so. */
export function rowsReachedBy(filter: Filter, { plan, rows }: ProjectView): readonly StoryRow[] {
  const done = hidesDone(filter) ? plan.done.flatMap((iteration) => iteration.stories) : [];
  const hidden = new Set(done.map(({ id }) => id));
  return hidden.size === 0 ? rows : rows.filter(({ id }) => !hidden.has(id));
}

/** What a filter depends on besides the stories of a project. */
export async function filterContext({ user, now }: Call, tx: Tx, { project }: ProjectView): Promise<FilterContext> {
  const members = await membershipsOfProject(tx, project.id);
  const initials = new Map(members.map(({ person }) => [person.name, person.initials ?? '']));
  const integrations = integrationNames(await integrationsOfProject(tx, project.id));
  return { me: user.name, initials, integrations, now };
}

/** `?group=` means the same as the path (protocol.md). */
export async function listIterations(call: Call): Promise<Reply> {
  const group = call.query.get('group')?.trim() ?? '';
  if (group === '') return reply(call, undefined);
  if (!isGroup(group)) throw badRequest(`"group" must be one of ${GROUPS.join(', ')}.`);
  return reply(call, group);
}

export const doneIterations = (call: Call): Promise<Reply> => reply(call, 'done');
export const currentIteration = (call: Call): Promise<Reply> => reply(call, 'current');
export const backlogIterations = (call: Call): Promise<Reply> => reply(call, 'backlog');
/** Endpoint 1. */
export const currentBacklog = (call: Call): Promise<Reply> => reply(call, 'current_backlog');

const GROUPS = ['done', 'current', 'backlog', 'current_backlog'] as const;

function isGroup(text: string): text is IterationGroup {
  return GROUPS.some((group) => group === text);
}

function reply(call: Call, group: IterationGroup | undefined): Promise<Reply> {
  const page = readPage(call.query);
  if (page.offset < 0 && group !== 'done') throw unprocessable('"offset" counts back from the latest in "done" only.');
  const { answers, views, texts } = call.service;
  return answers.reply(call, param(call, 'projectId'), async (view, tx) => {
    const stories = await views.storiesOf(tx, view, call.user);
    await newSlice();
    const shown = pageOf(plannedOf(view.plan, group), page);
    const rows = shown.flatMap((planned) => planned.stories);
    return stories.document(rows, (item) => longIterations(lazily(shown, iterationOf), item), texts.item(call.base));
  });
}

type Planned = readonly PlannedIteration<StoryRow>[];

function plannedOf({ done, current, backlog }: Plan<StoryRow>, group: IterationGroup | undefined): Planned {
  if (group === 'done') return done;
  if (group === 'current') return [current];
  if (group === 'backlog') return backlog;
  if (group === 'current_backlog') return [current, ...backlog];
  return [...done, current, ...backlog];
}

/** A negative offset counts from the end: `done?offset=-3` starts at the third latest. Before the first there is nothing. */
function pageOf(iterations: Planned, { limit, offset }: Page): Planned {
  const from = offset < 0 ? iterations.length + offset : offset;
  const to = limit === undefined ? iterations.length : from + limit;
  return iterations.slice(Math.max(0, from), Math.max(0, to));
}
