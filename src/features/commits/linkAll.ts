import * as vscode from 'vscode';
import { messageOf } from '../../core/errors.ts';
import type { Commit } from '../../core/ports/git.ts';
import type { App } from '../../host/app.ts';
import { commitUrlTemplate } from '../../host/git/commitLinkSettings.ts';
import { type LinkOutcome, storiesIn, successText, waitingTexts } from './linkText.ts';
import { type LinkPlan, linkCommit, planLink, type StoryFinder } from './storyFinder.ts';

type Needs = Pick<App, 'backlogs' | 'history' | 'log'>;

/** So many commits are handed to the outbox before the first of them has been answered. */
const MOST_AT_ONCE = 100;

/** Has commits posted in their order, with the messages that `messageFor` gives, and reads again what came of it. */
export async function linkAll(
  needs: Needs,
  finder: StoryFinder,
  root: string,
  commits: readonly Commit[],
  messageFor: (commit: Commit) => string,
): Promise<readonly LinkOutcome[]> {
  const pages = await commitPages(needs, root, commits[0]);
  const plans: LinkPlan[] = [];
  for (const commit of commits) {
    const url = pages?.(commit.hash);
    const posted = { ...commit, message: messageFor(commit), ...(url === undefined ? {} : { url }) };
    plans.push(await planLink(needs, finder, posted));
  }
  // The outbox takes them in this order, and the projects are read again once, after the last.
  const outcomes: LinkOutcome[] = [];
  for (let at = 0; at < plans.length; at += MOST_AT_ONCE) {
    const some = plans.slice(at, at + MOST_AT_ONCE);
    outcomes.push(...(await Promise.all(some.map((plan) => linkCommit(needs, plan)))));
  }
  await showStories(needs, outcomes);
  return outcomes;
}

/** Git is asked once, however many commits there are: their addresses differ by the hash alone. */
async function commitPages({ history }: Needs, root: string, commit: Commit | undefined) {
  if (!commit) return undefined;
  const page = await history.commitUrl(root, commit.hash, commitUrlTemplate(vscode.Uri.file(root)));
  return page === undefined ? undefined : (hash: string) => page.replaceAll(commit.hash, hash);
}

/** Reads again what the commits did to their stories; they are linked whether or not that works. */
async function showStories({ backlogs, log }: Needs, outcomes: readonly LinkOutcome[]): Promise<void> {
  for (const { key, story } of storiesIn(outcomes)) {
    try {
      await backlogs.refreshStory(key, story.id);
    } catch (thrown) {
      log.warn(`story ${story.id} could not be read after linking: ${messageOf(thrown)}`);
    }
  }
}

/** What became of commits, of which none failed, with the states that their stories have now. */
export function outcomeText({ backlogs }: Pick<App, 'backlogs'>, outcomes: readonly LinkOutcome[]): string {
  const stories = storiesIn(outcomes).map(({ key, story }) => backlogs.peekStory(story.id, key)?.story ?? story);
  const waiting = outcomes.filter((outcome) => outcome.status === 'waiting');
  return [successText(outcomes, stories), ...waitingTexts(waiting, backlogs)].filter((part) => part).join(' ');
}
