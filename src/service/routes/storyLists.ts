import { type Filter, type FilterContext, hidesDone, matches } from '../../core/filter.ts';
import { integrationNames } from '../../core/filterKeys.ts';
import { longStories } from '../../v3/story.ts';
import type { Document } from '../cache/answer.ts';
import type { ListedStories } from '../cache/listedStories.ts';
import type { ProjectView } from '../cache/projectViews.ts';
import { type Call, param } from '../call/exchange.ts';
import { unprocessable } from '../ground/errors.ts';
import { requireCaller } from '../http/caller.ts';
import type { Reply } from '../http/reply.ts';
import type { Tx } from '../store/database.ts';
import { integrationsOfProject } from '../store/projects/integrations.ts';
import { membershipsOfProject } from '../store/projects/memberships.ts';
import type { StoryRow } from '../store/stories/storyRows.ts';
import { readPage } from './pages.ts';
import { readStoryFilter } from './storyFilter.ts';

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
