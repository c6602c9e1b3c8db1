import * as vscode from 'vscode';
import { messageOf } from '../../core/errors.ts';
import type { Commit } from '../../core/history.ts';
import type { App } from '../../host/app.ts';
import { commitUrlTemplate } from '../../host/commitLinkSettings.ts';
import { type LinkPlan, linkCommit, planLink } from './linkCommit.ts';
import { type LinkOutcome, storiesIn } from './linkOutcome.ts';
import { successText, waitingTexts } from './linkText.ts';
import type { StoryFinder } from './storyFinder.ts';

type Needs = Pick<App, 'backlogs' | 'history' | 'log'>;

/** Has commits posted in their order, with the messages that `messageFor` gives, and reads again what came of it. */
export async function linkAll(
  needs: Needs,
  finder: StoryFinder,
  root: string,
  commits: readonly Commit[],
  messageFor: (commit: Commit) => string,
): Promise<readonly LinkOutcome[]> {
  const template = commitUrlTemplate(vscode.Uri.file(root));
  const plans: LinkPlan[] = [];
  for (const commit of commits) {
    const url = await needs.history.commitUrl(root, commit.hash, template);
    const posted = { ...commit, message: messageFor(commit), ...(url === undefined ? {} : { url }) };
    plans.push(await planLink(needs, finder, posted));
  }
  // The outbox takes them in this order, and the projects are read again once, after the last.
  const outcomes = await Promise.all(plans.map((plan) => linkCommit(needs, plan)));
  await showStories(needs, outcomes);
  return outcomes;
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
  const stories = storiesIn(outcomes).map(
    ({ key, story }) => backlogs.peekStory(story.id, key.projectId)?.story ?? story,
  );
  const waiting = outcomes.filter((outcome) => outcome.status === 'waiting');
  return [successText(outcomes, stories), ...waitingTexts(waiting, backlogs)].filter((part) => part).join(' ');
}
