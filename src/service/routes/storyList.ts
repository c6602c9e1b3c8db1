import { type Filter, type FilterContext, hidesDone, matches } from '../../core/filter.ts';
import { integrationNames } from '../../core/filterKeys.ts';
import type { Story } from '../../core/story.ts';
import { longStories } from '../../v3/story.ts';
import type { ProjectView } from '../cache/projectViews.ts';
import { type Call, param } from '../http/exchange.ts';
import type { Reply } from '../http/reply.ts';
import { unprocessable } from '../refusal.ts';
import { rest } from '../slices.ts';
import type { Tx } from '../store/database.ts';
import { integrationsOfProject } from '../store/integrations.ts';
import { membershipsOfProject } from '../store/memberships.ts';
import { readPage } from './pages.ts';
import { readStoryFilter } from './storyFilter.ts';

/** Stories in priority order, the icebox last; `total` counts all that the filter lets through. */
export async function listStories(call: Call): Promise<Reply> {
  const { answers, views, texts } = call.service;
  const { text: filterText, filter } = readStoryFilter(call.query);
  const { limit, offset } = readPage(call.query);
  if (offset < 0) throw unprocessable('"offset" cannot be negative here.');
  return answers.reply(call, param(call, 'projectId'), async (view, tx) => {
    const stories = await views.storiesOf(tx, view);
    const found = filterText === '' ? stories : await filtered(stories, view, filter, await contextOf(call, tx, view));
    const shown = found.slice(offset, limit === undefined ? undefined : offset + limit);
    const facts = {
      total: found.length,
      ...(limit !== undefined && { limit }),
      ...(filterText !== '' && { filter: filterText }),
    };
    return longStories(shown, facts, texts.item(call.base));
  });
}

async function filtered(
  stories: readonly Story[],
  { plan }: ProjectView,
  filter: Filter,
  context: FilterContext,
): Promise<readonly Story[]> {
  const done = hidesDone(filter) ? plan.done.flatMap((iteration) => iteration.stories) : [];
  const hidden = new Set(done.map(({ id }) => id));
  const found: Story[] = [];
  for (const story of stories) {
    if (!hidden.has(story.id) && matches(filter, story, context)) found.push(story);
    await rest();
  }
  return found;
}

async function contextOf({ user, now }: Call, tx: Tx, { project }: ProjectView): Promise<FilterContext> {
  const members = await membershipsOfProject(tx, project.id);
  const initials = new Map(members.map(({ person }) => [person.name, person.initials ?? '']));
  const integrations = integrationNames(await integrationsOfProject(tx, project.id));
  return { me: user.name, initials, integrations, now };
}
