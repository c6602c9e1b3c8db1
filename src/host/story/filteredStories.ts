import type { Backlog } from '../../core/backlog/backlog.ts';
import { messageOf } from '../../core/errors.ts';
import {
  doneQuery,
  type FilterContext,
  matches,
  parseFilter,
  reachesDone,
  type TypedFilter,
} from '../../core/filter/filter.ts';
import { filterNamesOf } from '../../core/filter/filterKeys.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import type { Story } from '../../core/story/story.ts';
import { ownNames } from '../accounts/ownNames.ts';
import type { App } from '../app.ts';
import type { ProjectEntry } from '../projects/projectList.ts';
import { localDays } from '../shell/localDays.ts';
import { choosing, sorting, stepwise } from '../shell/turnBudget.ts';
import type { FoundStory } from '../tree/nodes.ts';

export type FilterNeeds = Pick<App, 'accounts' | 'backlogs' | 'log' | 'workspaceMemory'>;

interface FilteredStories {
  /** In priority order project by project, those of done iterations last, or as the filter sorts them. */
  readonly stories: readonly FoundStory[];
  /** Names of projects that could not be read, or not as far as the filter reaches. */
  readonly unread: readonly string[];
}

/** Stories of done iterations that one project is asked for. */
const MOST_DONE = 100;

/**
 * The stories of all projects that pass a filter, as a program asks for them: nothing is shown, and done iterations are searched
 * at once where the filter reaches them. @throws TrackerError `input` when the text is no filter, `unauthorized` when nobody is
 * signed in, or what a server said when no project could be read.
 */
export async function filteredStories(
  needs: FilterNeeds,
  text: string,
  signal?: AbortSignal,
): Promise<FilteredStories> {
  const filter = parseFilter(text);
  const entries = await needs.backlogs.requireProjects();
  const names = /\bme\b/i.test(text) ? await ownNames(needs) : {};
  const meant = entries.filter(({ project }) => filter.projectTests.every((test) => test(project)));
  const found = await Promise.allSettled(
    meant.map((entry) => storiesIn(needs, entry, { text, filter, me: names[entry.key.accountId] }, signal)),
  );
  const refused = found.find((one) => one.status === 'rejected');
  if (refused && found.every(({ status }) => status === 'rejected')) throw refused.reason;
  const read = found.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const stories = read.flatMap((one) => one.stories);
  const { order } = filter;
  const sorted =
    order &&
    (await stepwise(
      sorting(stories, (one, other) => order(one.story, other.story)),
      signal,
    ));
  const unread = meant.flatMap(({ project }, index) => {
    const one = found[index];
    return one?.status === 'fulfilled' && one.value.isWhole ? [] : [project.name];
  });
  return { stories: sorted ?? stories, unread };
}

interface Wanted {
  readonly text: string;
  readonly filter: TypedFilter;
  /** What the person is called there. */
  readonly me: string | undefined;
}

async function storiesIn(
  needs: FilterNeeds,
  { key }: ProjectEntry,
  { text, filter, me }: Wanted,
  signal: AbortSignal | undefined,
): Promise<{ readonly stories: readonly FoundStory[]; readonly isWhole: boolean }> {
  const backlog = await needs.backlogs.backlog(key);
  const context: FilterContext = {
    ...filterNamesOf(backlog.project),
    ...(me !== undefined && { me }),
    now: Date.now(),
    days: localDays,
  };
  const done =
    text.trim() !== '' && reachesDone(text, filter)
      ? await doneStories(needs, key, backlog, text, signal)
      : { stories: [] };
  const all = [...openStories(backlog), ...done.stories];
  const passing = await stepwise(
    choosing(all, (story) => matches(filter, story, context)),
    signal,
  );
  return {
    stories: (passing ?? []).map((story) => ({ key, story })),
    isWhole: !('isCut' in done) && backlog.missing?.error === undefined,
  };
}

function openStories({ iterations, icebox }: Backlog): readonly Story[] {
  return [...iterations.flatMap(({ stories }) => stories), ...icebox];
}

/** Those of done iterations, newest first: what is known of them, and what the server finds besides, perhaps not all of it. */
async function doneStories(
  { backlogs, log }: FilterNeeds,
  key: ProjectKey,
  { done }: Backlog,
  text: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly stories: readonly Story[]; readonly isCut?: true }> {
  const known = done.toReversed().flatMap(({ stories }) => stories);
  const filter = doneQuery(text, Date.now(), localDays);
  if (filter === undefined) return { stories: known };
  try {
    const asked = backlogs
      .tracker(key)
      .listStories(key.projectId, { filter, limit: MOST_DONE }, signal ? { signal } : {});
    const answer = await asked;
    const ids = new Set(known.map(({ id }) => id));
    const stories = [...known, ...answer.filter(({ id }) => !ids.has(id))];
    return answer.length < MOST_DONE ? { stories } : { stories, isCut: true };
  } catch (thrown) {
    log.warn(`done stories of project ${key.projectId} could not be searched: ${messageOf(thrown)}`);
    return { stories: known, isCut: true };
  }
}
