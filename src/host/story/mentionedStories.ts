import type * as vscode from 'vscode';
import { messageOf } from '../../core/errors.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import type { App } from '../app.ts';
import { likelyRepository, repositoryAround } from '../git/chooseRepository.ts';
import type { Backlogs } from '../projects/backlogs.ts';
import { insertActive } from '../shell/featureSettings.ts';
import type { FoundStory } from '../tree/nodes.ts';

/** The projects there are. Has their backlogs read, and waits for that only while there is none. */
export async function readBacklogs({ backlogs, log }: Pick<App, 'backlogs' | 'log'>): Promise<readonly ProjectKey[]> {
  const projects = await backlogs.projects();
  const missing = projects.filter(({ key }) => !backlogs.peek(key));
  const reading = missing.map(({ key, project }) =>
    backlogs.backlog(key).catch((thrown) => log.warn(`${project.name}: ${messageOf(thrown)}`)),
  );
  if (missing.length === projects.length) await Promise.all(reading);
  return projects.map(({ key }) => key);
}

/**
 * The stories with an id among those that are known here. Ids are unique on a server only: where several have one, that of
 * `accountId` is meant, else there are several.
 */
export function storiesOfId(
  backlogs: Pick<Backlogs, 'peekStories'>,
  id: number,
  accountId?: string,
): readonly FoundStory[] {
  const found = backlogs.peekStories(id);
  const near = found.filter(({ key }) => key.accountId === accountId);
  return near.length > 0 ? near : found;
}

type MentionNeeds = Pick<App, 'activeStories' | 'backlogs' | 'git'>;

/** In which repository a text is: a file or folder of it, or the one that a person works in where none is named. */
export type TextPlace = vscode.Uri | 'anywhere';

/**
 * The stories that numbers in a text mean, by number; numbers without a story that is known here are left out. Where several servers
 * have one, that of the active story in the text's repository is meant, as in commit messages there.
 */
export async function mentionedStories(
  needs: MentionNeeds,
  ids: Iterable<number>,
  place: TextPlace,
): Promise<ReadonlyMap<number, readonly FoundStory[]>> {
  const found = new Map<number, readonly FoundStory[]>();
  let account: Promise<string | undefined> | undefined;
  for (const id of new Set(ids)) {
    const known = needs.backlogs.peekStories(id);
    if (known.length > 1) account ??= accountAt(needs, place);
    if (known.length > 0) found.set(id, known.length > 1 ? storiesOfId(needs.backlogs, id, await account) : known);
  }
  return found;
}

async function accountAt({ activeStories, git }: MentionNeeds, place: TextPlace): Promise<string | undefined> {
  const view = await activeStories.likelyView();
  if (!view) return undefined;
  const repositories = await git.repositories();
  const repository = place === 'anywhere' ? likelyRepository(repositories) : repositoryAround(repositories, place);
  if (!repository || insertActive(repository.rootUri) === 'never') return undefined;
  return view.at(repository.rootUri)?.accountId;
}
