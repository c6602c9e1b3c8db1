import * as vscode from 'vscode';
import { messageOf, TrackerError } from '../../core/errors.ts';
import type { Intent } from '../../core/intents/intent.ts';
import { storyEffects } from '../../core/marker/markerSyntax.ts';
import type { Commit } from '../../core/ports/history.ts';
import type { App } from '../../host/app.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';
import type { LinkOutcome } from './linkOutcome.ts';
import type { LinkTargets, StoryFinder } from './storyFinder.ts';

/** A commit as it is posted: with its page, and with a marker that its own message may lack. */
export interface PostedCommit extends Commit {
  readonly url?: string;
}

/** A commit and the stories that it names, or why it cannot be linked. */
export type LinkPlan = { readonly commit: PostedCommit } & (
  | LinkTargets
  | { readonly sentence: string; readonly isLost: boolean }
);

type Needs = Pick<App, 'backlogs' | 'log'>;

/** Finds the stories that a commit names. @throws TrackerError `cancelled` when the person turned away. */
export async function planLink({ log }: Needs, finder: StoryFinder, commit: PostedCommit): Promise<LinkPlan> {
  try {
    const ids = [...storyEffects(commit.message).keys()];
    const targets = await finder.targets(ids);
    if (targets.stories.length === 0) throw notFound(ids);
    return { commit, ...targets };
  } catch (thrown) {
    if (thrown instanceof TrackerError && thrown.kind === 'cancelled') throw thrown;
    log.warn(`commit ${commit.hash}: ${messageOf(thrown)}`);
    const isLost = !(thrown instanceof TrackerError && thrown.kind === 'notFound');
    return { commit, sentence: messageOf(thrown), isLost };
  }
}

/**
 * Has a commit posted (endpoint 6) once to each account that has stories it names, and to no other, by the outbox: one that
 * its stories show already is not posted, since servers other than ours may show it twice.
 */
export async function linkCommit({ backlogs, log }: Needs, plan: LinkPlan): Promise<LinkOutcome> {
  const { commit } = plan;
  if ('sentence' in plan) return { ...plan, status: 'failed', stories: [] };
  const { stories, unknown } = plan;
  const done: FoundStory[] = [];
  let repeated = 0;
  let waiting: FoundStory | undefined;
  let isRefused = false;
  const accounts = Map.groupBy(stories, ({ key }) => key.accountId);
  try {
    for (const ofAccount of accounts.values()) {
      const [first] = ofAccount;
      if (!first) continue;
      const submission = await backlogs.submit(first.key, [intentOf(commit, ofAccount)]);
      isRefused = submission.refused !== undefined;
      if (submission.refused) throw submission.refused;
      repeated += submission.repeated;
      if (submission.waiting) waiting = first;
      else done.push(...ofAccount);
    }
  } catch (thrown) {
    log.warn(`commit ${commit.hash}: ${messageOf(thrown)}`);
    return { commit, status: 'failed', stories: done, sentence: messageOf(thrown), isLost: !isRefused };
  }
  if (waiting) return { commit, status: 'waiting', stories: done, unknown, waitsFor: waiting.key };
  return { commit, status: repeated === accounts.size ? 'linkedBefore' : 'linked', stories, unknown };
}

function intentOf({ hash, message, authorName, url }: PostedCommit, stories: readonly FoundStory[]): Intent {
  const refs = stories.map(({ key, story }) => ({ projectId: key.projectId, storyId: story.id }));
  return {
    kind: 'link',
    storyId: refs[0]?.storyId ?? 0,
    stories: refs,
    commit: { commitId: hash, message, author: authorName, ...(url === undefined ? {} : { url }) },
  };
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
