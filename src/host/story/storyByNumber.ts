import { TrackerError } from '../../core/errors.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import { t } from '../../core/translation.ts';
import { type Account, BUILT_IN_ID } from '../accounts/account.ts';
import type { App } from '../app.ts';
import type { ProjectEntry } from '../projects/projectList.ts';
import type { FoundStory } from '../tree/nodes.ts';

/** Which projects a program means. */
interface ProjectNumber {
  readonly projectId?: number | undefined;
  /** As `serverOf` tells it. */
  readonly server?: string | undefined;
}

/** How a program names a story. */
interface StoryNumber extends ProjectNumber {
  readonly storyId: number;
}

type Needs = Pick<App, 'accounts' | 'backlogs'>;

/** What programs call the server of a project: its address, or `built-in`, whose port changes. */
export function serverOf({ backlogs }: Pick<App, 'backlogs'>, key: ProjectKey): string {
  return serverAt(key.accountId, backlogs.baseUrlOf(key));
}

function serverAt(accountId: string, baseUrl: string | undefined): string {
  return accountId === BUILT_IN_ID ? 'built-in' : (baseUrl ?? '');
}

/** Stories of one server as commands take them, whatever their projects: IDs are unique on a server. */
export function argumentForAll(stories: readonly FoundStory[]): Readonly<Record<string, unknown>> {
  const [accountId, ...others] = new Set(stories.map(({ key }) => key.accountId));
  return { storyIds: stories.map(({ story }) => story.id), ...(others.length === 0 && { accountId }) };
}

/** @throws TrackerError `input` where numbers in one text would mean stories of several servers. */
export function requireOneServer(needs: Pick<App, 'backlogs'>, stories: readonly FoundStory[]): void {
  const servers = new Set(stories.map(({ key }) => serverOf(needs, key)));
  if (servers.size <= 1) return;
  throw new TrackerError('input', `A marker is for stories of one server. These are on ${[...servers].join(', ')}.`);
}

/**
 * The story that a program means. IDs are unique on a server only, and none is guessed: every server that may be meant is asked.
 * @throws TrackerError `input` where several servers have one, or one of several could not be asked; `notFound` where none has.
 */
export async function storyByNumber(needs: Needs, { storyId, ...projects }: StoryNumber): Promise<FoundStory> {
  const servers = await projectsByServer(needs, projects);
  const answers = await Promise.allSettled(
    [...servers.values()].map((entries) => storyOn(needs, storyId, projects.projectId, entries)),
  );
  const silent = [...servers.keys()].filter((_, index) => answers[index]?.status === 'rejected');
  const failure = answers.find((answer) => answer.status === 'rejected');
  if (failure && servers.size === 1) throw failure.reason;
  if (failure) throw notAsked(silent, [...servers.keys()]);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' && answer.value ? [answer.value] : []));
  // One that had the number before its project was moved is meant only where none has it now.
  const exact = found.filter(({ story }) => story.id === storyId);
  const [meant, ...others] = exact.length > 0 ? exact : found;
  if (!meant) throw new TrackerError('notFound', t('Could not find story #{0} in your projects.', storyId));
  if (others.length === 0) return meant;
  const places = [meant, ...others].map(({ key }) => `${key.projectId} on ${serverOf(needs, key)}`).join(', ');
  throw new TrackerError(
    'input',
    `Several servers have a story #${storyId}. Pass its projectId and server: ${places}.`,
  );
}

/**
 * The projects that a program may mean, by server, once every server has told its own or has failed to.
 * @throws TrackerError as `requireProjects`, and `input` where one of several servers that may be meant never told its projects.
 */
export async function projectsByServer(
  needs: Needs,
  { projectId, server }: ProjectNumber,
): Promise<ReadonlyMap<string, readonly ProjectEntry[]>> {
  const { accounts, backlogs } = needs;
  await backlogs.requireProjects();
  const signedIn = await accounts.list();
  if (signedIn.some((account) => !backlogs.isAnswered(account))) await backlogs.settled();
  const entries = await backlogs.projects();
  const told = new Set(entries.map(({ key }) => serverOf(needs, key)));
  const isServer = (one: string) => server === undefined || one === server;
  const untold = failedServers(needs, signedIn).filter((one) => isServer(one) && !told.has(one));
  if (untold.length > 0) throw notAsked(untold, [...told, ...untold]);
  const meant = entries.filter(({ key }) => projectId === undefined || key.projectId === projectId);
  return Map.groupBy(
    meant.filter(({ key }) => isServer(serverOf(needs, key))),
    ({ key }) => serverOf(needs, key),
  );
}

function failedServers({ backlogs }: Pick<App, 'backlogs'>, signedIn: readonly Account[]): readonly string[] {
  const failed = new Set(backlogs.failures.map(({ account }) => account.id));
  return signedIn.filter(({ id }) => failed.has(id)).map(({ id, baseUrl }) => serverAt(id, baseUrl));
}

function notAsked(silent: readonly string[], all: readonly string[]): TrackerError {
  const sentence = `Could not ask ${silent.join(', ')}. Pass the server that is meant, one of ${all.join(', ')}.`;
  return new TrackerError('input', sentence);
}

/** The story as the first of the people who are signed in to a server sees it. */
async function storyOn(
  { backlogs }: Pick<App, 'backlogs'>,
  storyId: number,
  projectId: number | undefined,
  entries: readonly ProjectEntry[],
): Promise<FoundStory | undefined> {
  let failure: unknown;
  for (const accountId of new Set(entries.map(({ key }) => key.accountId))) {
    try {
      const found = await backlogs.story(storyId, { accountId, ...(projectId !== undefined && { projectId }) });
      if (found) return found;
    } catch (thrown) {
      failure ??= thrown;
    }
  }
  if (failure !== undefined) throw failure;
  return undefined;
}
