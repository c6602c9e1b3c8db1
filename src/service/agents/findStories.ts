import { agentAnswer, storySummary } from '../../core/agents/agentAnswer.ts';
import { matches, parseFilter, reachesDone, type TypedFilter } from '../../core/filter/filter.ts';
import type { Story } from '../../core/story/story.ts';
import { projectsOfCaller, readInProject } from '../auth/projectAccess.ts';
import type { Call } from '../call/exchange.ts';
import { requireCaller } from '../http/reply.ts';
import { filterContext, rowsReachedBy } from '../routes/storyLists.ts';
import type { ProjectRow } from '../store/projects/projects.ts';
import type { ServiceToolInput } from './serviceTools.ts';

const USUAL = 20;

/** Stories of all projects of the caller, in order of priority, or as the filter sorts them. */
export async function findStories(
  call: Call,
  { filter: text, limit = USUAL, skip = 0 }: ServiceToolInput<'findStories'>,
): Promise<string> {
  const typed = parseFilter(text);
  const filter = { ...typed, includesDone: text.trim() !== '' && reachesDone(text, typed) };
  const projects = await call.service.database.read((tx) => projectsOfCaller(tx, call));
  const meant = projects.filter((project) => typed.projectTests.every((test) => test(project)));
  const found = new FoundStories(typed.order, skip + limit);
  await call.service.long.inTurn(call.user.id, async () => {
    for (const project of meant) await findIn(call, project, filter, found);
  });
  const shown = found.first().slice(skip);
  const left = found.count - skip - shown.length;
  return agentAnswer({
    found: found.count,
    ...(left > 0 && { more: `${left} more. Read on with skip ${skip + shown.length}.` }),
    stories: shown.map(({ story, project: { id, name } }) => storySummary(story, { projectId: id, projectName: name })),
  });
}

async function findIn(call: Call, { id }: ProjectRow, filter: TypedFilter, found: FoundStories): Promise<void> {
  const { views } = call.service;
  const { project, view, stories, context } = await readInProject(call, id, async (tx, project) => {
    const view = await views.get(tx, project, call.now);
    const stories = await views.storiesOf(tx, view, call.user);
    return { project, view, stories, context: await filterContext(call, tx, view) };
  });
  await stories.passing(rowsReachedBy(filter, view), (story) => {
    requireCaller(call.request);
    if (matches(filter, story, context)) found.add(story, project);
    return false;
  });
}

interface FoundStory {
  readonly story: Story;
  readonly project: Pick<ProjectRow, 'id' | 'name'>;
}

/** Stories that may be held beyond those that are wanted, before they are sorted and the last of them dropped. */
const SPARE = 1_000;

/** The first of what passes a filter, and the count of all; no more is held, however many pass. */
class FoundStories {
  count = 0;
  private readonly order: TypedFilter['order'];
  private readonly wanted: number;
  private held: FoundStory[] = [];

  constructor(order: TypedFilter['order'], wanted: number) {
    this.order = order;
    this.wanted = wanted;
  }

  add(story: Story, project: ProjectRow): void {
    this.count += 1;
    if (!this.order && this.held.length >= this.wanted) return;
    this.held.push({ story: withoutTexts(story), project });
    if (this.held.length >= this.wanted + SPARE) this.held = this.first();
  }

  first(): FoundStory[] {
    const { order, held, wanted } = this;
    const sorted = order ? held.toSorted((one, other) => order(one.story, other.story)) : held;
    return sorted.slice(0, wanted);
  }
}

/** What lists tell of a story: the rest may be a megabyte. */
function withoutTexts({ description: _, ...story }: Story): Story {
  return { ...story, notes: [], tasks: [], attachments: [] };
}
