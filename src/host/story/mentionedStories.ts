import { setTimeout as pause } from 'node:timers/promises';
import type * as vscode from 'vscode';
import type { ActiveStory } from '../../core/activeStory/storyBinding.ts';
import { messageOf } from '../../core/errors.ts';
import { isSameProject, type ProjectKey } from '../../core/story/projectKey.ts';
import type { App } from '../app.ts';
import { likelyRepository, repositoryAround } from '../git/chooseRepository.ts';
import type { Backlogs } from '../projects/backlogs.ts';
import { orderedProjects } from '../projects/projectOrder.ts';
import { insertActive } from '../shell/featureSettings.ts';
import type { FoundStory } from '../tree/nodes.ts';
import { projectWishes } from './projectWishes.ts';

/** So long is waited for servers to tell which IDs stories had before their projects were moved; who asks later has them. */
const PATIENCE_MS = 1_000;

/** The projects there are. Has their backlogs read, and waits for that only while there is none. */
export async function readBacklogs({ backlogs, log }: Pick<App, 'backlogs' | 'log'>): Promise<readonly ProjectKey[]> {
  const projects = await backlogs.projects();
  const missing = projects.filter(({ key }) => !backlogs.peek(key));
  const reading = missing.map(({ key, project }) =>
    backlogs.backlog(key).catch((thrown) => log.warn(`${project.name}: ${messageOf(thrown)}`)),
  );
  if (missing.length === projects.length) await Promise.all(reading);
  await Promise.race([backlogs.readFormerIds(), pause(PATIENCE_MS, undefined, { ref: false })]);
  return projects.map(({ key }) => key);
}

/**
 * The stories with an id among those that are known here; without one, those that had it before their projects were moved. Ids are
 * unique on a server only: where several have one, that of `accountId` is meant, else there are several.
 */
export function storiesOfId(
  backlogs: Pick<Backlogs, 'peekStories'>,
  id: number,
  accountId?: string,
): readonly FoundStory[] {
  const known = backlogs.peekStories(id);
  const present = known.filter(({ story }) => story.id === id);
  const found = present.length > 0 ? present : known;
  const near = found.filter(({ key }) => key.accountId === accountId);
  return near.length > 0 ? near : found;
}

type MentionNeeds = Pick<App, 'activeStories' | 'backlogs' | 'git'>;

/** In which repository a text is: a file or folder of it, or the one that a person works in where none is named. */
type TextPlace = vscode.Uri | 'anywhere';

/**
 * The stories that numbers in a text mean, by number; numbers without a story that is known here are left out. Of several, those in
 * projects that are shown here are meant, and of these that of the server, and the project, of the active story in the text's
 * repository, as in commit messages there.
 */
export async function mentionedStories(
  needs: MentionNeeds,
  ids: Iterable<number>,
  place: TextPlace,
): Promise<ReadonlyMap<number, readonly FoundStory[]>> {
  const found = new Map<number, readonly FoundStory[]>();
  let order: Promise<Preference> | undefined;
  for (const id of new Set(ids)) {
    const known = needs.backlogs.peekStories(id);
    if (known.length > 1) order ??= preferenceAt(needs, place);
    if (known.length > 0) found.set(id, order && known.length > 1 ? preferred(known, await order) : known);
  }
  return found;
}

/** What stories fit that are likely meant, the most likely last. */
type Preference = readonly ((story: FoundStory) => boolean)[];

/** Those that fit what fits any of them. */
function preferred(known: readonly FoundStory[], preference: Preference): readonly FoundStory[] {
  return preference.reduce((left, fits) => {
    const fitting = left.filter(fits);
    return fitting.length > 0 ? fitting : left;
  }, known);
}

async function preferenceAt(needs: MentionNeeds, place: TextPlace): Promise<Preference> {
  const [active, shown] = await Promise.all([activeAt(needs, place), shownProjects(needs)]);
  return [
    ({ key }) => shown.some((one) => isSameProject(one, key)),
    ({ key }) => key.accountId === active?.accountId,
    ({ key }) => key.accountId === active?.accountId && key.projectId === active.projectId,
  ];
}

/** Those of this workspace that are not hidden. After a move to a server, the copy that stayed behind may be hidden. */
async function shownProjects({ backlogs }: MentionNeeds): Promise<readonly ProjectKey[]> {
  const wishes = projectWishes();
  if (wishes.workspace.length === 0 && wishes.hidden.length === 0) return [];
  return orderedProjects(await backlogs.knownProjects(), wishes).shown.map(({ key }) => key);
}

async function activeAt({ activeStories, git }: MentionNeeds, place: TextPlace): Promise<ActiveStory | undefined> {
  const view = await activeStories.likelyView();
  if (!view) return undefined;
  const repositories = await git.repositories();
  const repository = place === 'anywhere' ? likelyRepository(repositories) : repositoryAround(repositories, place);
  if (!repository || insertActive(repository.rootUri) === 'never') return undefined;
  return view.at(repository.rootUri);
}
