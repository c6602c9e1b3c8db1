import * as vscode from 'vscode';
import { kindOf, messageOf, TrackerError } from '../../core/errors.ts';
import type { Intent } from '../../core/intents/intent.ts';
import { storyEffects } from '../../core/marker/markerSyntax.ts';
import type { Commit } from '../../core/ports/git.ts';
import { keyText } from '../../core/story/projectKey.ts';
import type { App } from '../../host/app.ts';
import { commitUrlTemplate } from '../../host/git/commitLinkSettings.ts';
import { tickStep } from '../../host/shell/commands.ts';
import { storiesOfId } from '../../host/story/mentionedStories.ts';
import { pickServerOf } from '../../host/story/pickServer.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';
import { type LinkOutcome, storiesIn, successText, waitingTexts } from './linkText.ts';
import { type IdsNow, withPresentIds } from './plannedCommits.ts';

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
  if (outcomes.some(({ status }) => status !== 'failed')) tickStep('storyTracker.hasLinkedCommits');
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

/** The stories that a commit is linked to, and those it names that nobody knows. */
interface LinkTargets {
  readonly stories: readonly FoundStory[];
  readonly unknown: readonly number[];
}

/**
 * Finds stories by id for one run of linking. Ids are unique on a server only: where several accounts have one, the
 * account of `chosen` is meant, else the person is asked, once for each id.
 */
export class StoryFinder {
  private readonly app: Pick<App, 'backlogs' | 'accounts'>;
  private readonly chosen: FoundStory | undefined;
  private readonly asked = new Map<number, Promise<FoundStory | undefined>>();

  constructor(app: Pick<App, 'backlogs' | 'accounts'>, chosen: FoundStory | undefined) {
    this.app = app;
    this.chosen = chosen;
  }

  async targets(ids: readonly number[]): Promise<LinkTargets & { readonly idsNow: IdsNow }> {
    const stories = new Map<string, FoundStory>();
    const idsNow = new Map<number, number>();
    const unknown: number[] = [];
    for (const id of ids) {
      const found = await this.find(id);
      if (!found) {
        unknown.push(id);
        continue;
      }
      stories.set(`${keyText(found.key)} ${found.story.id}`, found);
      idsNow.set(id, found.story.id);
    }
    return { stories: [...stories.values()], unknown, idsNow };
  }

  private find(id: number): Promise<FoundStory | undefined> {
    const finding = this.asked.get(id) ?? this.search(id);
    this.asked.set(id, finding);
    return finding;
  }

  private async search(id: number): Promise<FoundStory | undefined> {
    if (this.chosen?.story.id === id) return this.chosen;
    const found = await this.loaded(id);
    return found.length > 1 ? this.ask(id, found) : (found[0] ?? this.app.backlogs.story(id));
  }

  /** The story of that id in each account that has one among what was loaded, or those that had it before. */
  private async loaded(id: number): Promise<readonly FoundStory[]> {
    const { backlogs } = this.app;
    const find = () => storiesOfId(backlogs, id, this.chosen?.key.accountId);
    await backlogs.projects();
    const known = find();
    if (known.length > 0) return known;
    await backlogs.readFormerIds();
    return find();
  }

  private async ask(id: number, found: readonly FoundStory[]): Promise<FoundStory> {
    const placeHolder = found.every(({ story }) => story.id === id)
      ? vscode.l10n.t('Several accounts have a story #{0}. Which one do you want to link?', id)
      : vscode.l10n.t('Several stories have or had the ID #{0}. Which one do you want to link?', id);
    const picked = await pickServerOf(this.app.accounts, found, placeHolder);
    if (!picked) throw new TrackerError('cancelled', vscode.l10n.t('Canceled.'));
    return picked;
  }
}

/** A commit as it is posted: with its page, and with a marker that its own message may lack. */
interface PostedCommit extends Commit {
  readonly url?: string;
}

/** A commit and the stories that it names, or why it cannot be linked. */
type LinkPlan = { readonly commit: PostedCommit } & (
  | LinkTargets
  | { readonly sentence: string; readonly isLost: boolean }
);

type PlanNeeds = Pick<App, 'backlogs' | 'log'>;

/** Finds the stories that a commit names. @throws TrackerError `cancelled` when the person turned away. */
async function planLink({ log }: PlanNeeds, finder: StoryFinder, commit: PostedCommit): Promise<LinkPlan> {
  try {
    const ids = [...storyEffects(commit.message).keys()];
    const { idsNow, ...targets } = await finder.targets(ids);
    if (targets.stories.length === 0) throw notFound(ids);
    return { commit: withPresentIds(commit, idsNow), ...targets };
  } catch (thrown) {
    if (kindOf(thrown) === 'cancelled') throw thrown;
    log.warn(`commit ${commit.hash}: ${messageOf(thrown)}`);
    const isLost = kindOf(thrown) !== 'notFound';
    return { commit, sentence: messageOf(thrown), isLost };
  }
}

/**
 * Has a commit posted (endpoint 6) once to each account that has stories it names, and to no other, by the outbox: one that
 * its stories show already is not posted, since servers other than ours may show it twice.
 */
async function linkCommit({ backlogs, log }: PlanNeeds, plan: LinkPlan): Promise<LinkOutcome> {
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
      ? vscode.l10n.t('Could not find story {0} in your projects.', named)
      : vscode.l10n.t('Could not find stories {0} in your projects.', named),
  );
}
