import { TrackerError } from '../../core/errors.ts';
import { type Filter, type FilterContext, filterOf, hidesDone, matches } from '../../core/filter/filter.ts';
import { type FilterValueKind, filterKeys, integrationNames } from '../../core/filter/filterKeys.ts';
import { type FilterTerm, filterTerms } from '../../core/filter/filterTerms.ts';
import { FILTER_KEY_OF_ELEMENT } from '../../v3/assumptions.ts';
import { longStories } from '../../v3/storyList.ts';
import type { Document } from '../cache/answer.ts';
import type { ListedStories } from '../cache/listedStories.ts';
import type { ProjectView } from '../cache/projectViews.ts';
import { type Call, param } from '../call/exchange.ts';
import { unprocessable } from '../ground/errors.ts';
import { type Reply, requireCaller } from '../http/reply.ts';
import type { Tx } from '../store/database.ts';
import { membershipsOfProject } from '../store/projects/memberships.ts';
import { integrationsOfProject } from '../store/projects/projectParts.ts';
import type { StoryRow } from '../store/stories/storyRows.ts';
import { readPage } from './page.ts';

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
    const context = await contextOf(call, tx, view);
    return async () => listed(await filtered(call, stories, view, filter, context));
  });
}

async function filtered(
  { request }: Call,
  stories: ListedStories,
  { plan, rows }: ProjectView,
  filter: Filter,
  context: FilterContext,
): Promise<readonly StoryRow[]> {
  const done = hidesDone(filter) ? plan.done.flatMap((iteration) => iteration.stories) : [];
  const hidden = new Set(done.map(({ id }) => id));
  const open = hidden.size === 0 ? rows : rows.filter(({ id }) => !hidden.has(id));
  return stories.passing(open, (story) => {
    requireCaller(request);
    return matches(filter, story, context);
  });
}

async function contextOf({ user, now }: Call, tx: Tx, { project }: ProjectView): Promise<FilterContext> {
  const members = await membershipsOfProject(tx, project.id);
  const initials = new Map(members.map(({ person }) => [person.name, person.initials ?? '']));
  const integrations = integrationNames(await integrationsOfProject(tx, project.id));
  return { me: user.name, initials, integrations, now };
}
