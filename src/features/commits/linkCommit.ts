import * as vscode from 'vscode';
import { messageOf, TrackerError } from '../../core/errors.ts';
import type { Commit } from '../../core/history.ts';
import { storyEffects } from '../../core/marker.ts';
import type { App } from '../../host/app.ts';
import type { FoundStory } from '../../host/backlogs.ts';
import type { LinkedCommits } from './linkedCommits.ts';
import type { LinkOutcome } from './linkOutcome.ts';
import type { StoryFinder } from './storyFinder.ts';

/** A commit as it is posted: with its page, and with a marker that its own message may lack. */
export interface PostedCommit extends Commit {
  readonly url?: string;
}

type Needs = Pick<App, 'backlogs' | 'log'>;

/**
 * Posts a commit (endpoint 6) once to each account that has stories it names, and to no other. A story that shows the
 * commit already is left alone, since servers other than ours may show it twice.
 */
export async function linkCommit(
  { backlogs, log }: Needs,
  finder: StoryFinder,
  linked: LinkedCommits,
  commit: PostedCommit,
): Promise<LinkOutcome> {
  const done: FoundStory[] = [];
  try {
    const ids = [...storyEffects(commit.message).keys()];
    const { stories, unknown } = await finder.targets(ids);
    if (stories.length === 0) throw notFound(ids);
    let posted = false;
    for (const ofAccount of Map.groupBy(stories, ({ key }) => key.accountId).values()) {
      posted = (await post(backlogs, commit, ofAccount)) || posted;
      done.push(...ofAccount);
      await linked.add(commit.hash, ofAccount);
    }
    return { commit, status: posted ? 'linked' : 'linkedBefore', stories, unknown };
  } catch (thrown) {
    if (thrown instanceof TrackerError && thrown.kind === 'cancelled') throw thrown;
    log.warn(`commit ${commit.hash}: ${messageOf(thrown)}`);
    return { commit, status: 'failed', stories: done, sentence: messageOf(thrown) };
  }
}

/** Tells whether it was posted; not when every story shows it. */
async function post(
  backlogs: Needs['backlogs'],
  { hash, message, authorName, url }: PostedCommit,
  stories: readonly FoundStory[],
): Promise<boolean> {
  const [first] = stories;
  if (!first) return false;
  const shown = await Promise.all(stories.map((story) => shows(backlogs, story, hash)));
  if (shown.every(Boolean)) return false;
  const commit = { commitId: hash, message, author: authorName, ...(url === undefined ? {} : { url }) };
  await backlogs.tracker(first.key).postSourceCommit(commit);
  return true;
}

/** Asks the server: what is loaded may be older than a link made elsewhere. */
async function shows(backlogs: Needs['backlogs'], { key, story }: FoundStory, hash: string): Promise<boolean> {
  const { notes } = await backlogs.refreshStory(key, story.id);
  return notes.some(({ text }) => text.includes(hash));
}

function notFound(ids: readonly number[]): TrackerError {
  const named = ids.map((id) => `#${id}`).join(', ');
  return new TrackerError(
    'notFound',
    ids.length === 1
      ? vscode.l10n.t('Story {0} was not found in your projects.', named)
      : vscode.l10n.t('Stories {0} were not found in your projects.', named),
  );
}
