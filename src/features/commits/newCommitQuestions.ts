import * as vscode from 'vscode';
import { messageOf } from '../../core/errors.ts';
import type { NewCommit } from '../../core/ports/git.ts';
import type { App } from '../../host/app.ts';
import { setLinkWish } from '../../host/git/commitLinkSettings.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';
import { linkAll, outcomeText, StoryFinder } from './linkAll.ts';
import { failureText } from './linkText.ts';
import {
  askedProjects,
  type HeldCommit,
  type LinkedStories,
  linkedStories,
  type PlannedCommit,
  plannedCommits,
  withoutProjects,
} from './plannedCommits.ts';
import { postedMessage } from './postedMessage.ts';

export type QuestionNeeds = Pick<App, 'accounts' | 'backlogs' | 'engine' | 'history' | 'log' | 'messages'>;

/** More at once come of a history that was rewritten: they are asked about also where commits are linked without asking. */
const MOST_UNASKED = 30;

/** Decides about new commits: by the settings of their stories' projects, and where those say so, by one question for all. */
export class NewCommitQuestions implements vscode.Disposable {
  private readonly needs: QuestionNeeds;
  private readonly inHand = new Set<string>();
  private readonly listening: vscode.Disposable;
  private asked: readonly PlannedCommit[] = [];
  /** Whose stories could not be looked for, since a server was away. */
  private stuck: readonly HeldCommit[] = [];
  private deciding: Promise<void> = Promise.resolve();
  private questions = 0;

  constructor(needs: QuestionNeeds) {
    this.needs = needs;
    this.listening = needs.backlogs.onDidChange(() => {
      if (this.stuck.length === 0 || needs.backlogs.failures.length > 0) return;
      const again = this.stuck;
      this.stuck = [];
      this.decide(again).catch((thrown: unknown) => needs.log.warn(messageOf(thrown)));
    });
  }

  dispose(): void {
    this.listening.dispose();
  }

  /**
   * Takes all undecided commits of a repository, and in hand those that are not yet; those it has no more, since others took
   * their place, are no longer asked about. Resolves when they were decided about or asked about.
   */
  async take(repository: string, commits: readonly HeldCommit[]): Promise<void> {
    const hashes = new Set(commits.map(({ commit }) => commit.hash));
    const isGone = (held: HeldCommit) => held.repository === repository && !hashes.has(held.commit.hash);
    for (const held of [...this.asked, ...this.stuck].filter(isGone)) this.inHand.delete(held.commit.hash);
    this.asked = this.asked.filter((held) => !isGone(held));
    this.stuck = this.stuck.filter((held) => !isGone(held));
    const fresh = commits.filter(({ commit }) => !this.inHand.has(commit.hash));
    for (const { commit } of fresh) this.inHand.add(commit.hash);
    if (fresh.length > 0) await this.decide(fresh);
  }

  /** One batch after the other, so that commits are posted in their order. */
  private decide(commits: readonly HeldCommit[]): Promise<void> {
    const next = this.deciding.then(() => this.decideNow(commits));
    this.deciding = next.catch(() => undefined);
    return next;
  }

  private async decideNow(commits: readonly HeldCommit[]): Promise<void> {
    const { toLink, toAsk, without, later } = await plannedCommits(this.needs, commits).catch((thrown: unknown) => {
      for (const { commit } of commits) this.inHand.delete(commit.hash);
      throw thrown;
    });
    this.stuck = [...this.stuck, ...later];
    await this.settle(without);
    const isMany = toLink.length > MOST_UNASKED;
    if (!isMany) await this.link(toLink);
    const asked = isMany ? [...toLink, ...toAsk] : toAsk;
    if (asked.length > 0) void this.ask(asked).catch((thrown: unknown) => this.needs.messages.error(thrown));
  }

  /** A later question is about everything that was asked before and not answered; an answer only about what was asked. */
  private async ask(commits: readonly PlannedCommit[]): Promise<void> {
    this.asked = [...this.asked, ...commits];
    const asked = new Set(this.asked);
    const question = ++this.questions;
    const [link, always, never] = [
      vscode.l10n.t('Link'),
      vscode.l10n.t('Always'),
      vscode.l10n.t('Never for This Project'),
    ];
    const answer = await this.needs.messages.info(questionText(this.asked), link, always, never);
    if (answer === undefined && question !== this.questions) return;
    const answered = this.asked.filter((one) => asked.has(one));
    this.asked = this.asked.filter((one) => !asked.has(one));
    const projects = askedProjects(this.needs.backlogs, answered);
    if (answer === always) await setLinkWish(projects, 'api');
    if (answer === never) await setLinkWish(projects, 'off');
    const isWanted = answer === link || answer === always;
    await this.link(isWanted ? answered : withoutProjects(this.needs.backlogs, answered, projects));
    if (!isWanted) await this.settle(answered);
  }

  /** What could not be linked, or for which the person would not say what is meant, is asked about again at the next look. */
  private async link(commits: readonly PlannedCommit[]): Promise<void> {
    try {
      const linked = await linkedStories(this.needs.engine.linkedCommits);
      for (const [root, inRoot] of Map.groupBy(commits, (held) => held.root)) await this.linkIn(root, inRoot, linked);
    } catch (thrown) {
      for (const { commit } of commits) this.inHand.delete(commit.hash);
      throw thrown;
    }
  }

  private async linkIn(root: string, commits: readonly PlannedCommit[], linkedBefore: LinkedStories): Promise<void> {
    const unwanted = new Map(commits.map((one) => [one.commit.hash, one.unwanted]));
    const finder = new StoryFinder(this.needs, undefined);
    const linking = commits.map(({ commit }) => commit);
    const outcomes = await linkAll(this.needs, finder, root, linking, ({ hash, message }) =>
      postedMessage(message, unwanted.get(hash)),
    );
    const lost = new Set(outcomes.flatMap((one) => (one.status === 'failed' && one.isLost ? [one.commit.hash] : [])));
    await this.settle(commits.filter(({ commit }) => !lost.has(commit.hash)));
    for (const hash of lost) this.inHand.delete(hash);
    const failed = outcomes.some(({ status }) => status === 'failed');
    const text = failed ? failureText(outcomes) : outcomeText(this.needs, outcomes);
    this.needs.messages.status([text, ...versionTexts(linking, linkedBefore)].join(' '));
  }

  private async settle(commits: readonly HeldCommit[]): Promise<void> {
    for (const [repository, held] of Map.groupBy(commits, (one) => one.repository)) {
      await this.needs.engine.commitFinder.settle(
        repository,
        held.map(({ commit }) => commit.hash),
      );
    }
    for (const { commit } of commits) this.inHand.delete(commit.hash);
  }
}

interface Asked {
  readonly commit: NewCommit;
  readonly stories: readonly FoundStory[];
}

/** So many ids are read in a sentence; of more than these the number is said. */
const MOST_NAMED = 8;

/** Asks whether commits are to be linked to the stories they name. */
function questionText(asked: readonly Asked[]): string {
  const stories = new Map(asked.flatMap((one) => one.stories.map(({ story }) => [story.id, story.name] as const)));
  const [first] = asked;
  if (asked.length > 1 || !first) return questionForMany(asked, [...stories.keys()]);
  const { hash, message, versionOf } = first.commit;
  const named = [...stories].map(([id, name]) => `#${id} ${name}`).join(', ');
  const commit = `${hash.slice(0, 8)} “${message.split('\n', 1)[0] ?? ''}”`;
  return versionOf === undefined
    ? vscode.l10n.t('Link commit {0} to {1}?', commit, named)
    : vscode.l10n.t('Link commit {0}, a new version of {1}, to {2}?', commit, versionOf.slice(0, 8), named);
}

function questionForMany(asked: readonly Asked[], ids: readonly number[]): string {
  const named = ids.map((id) => `#${id}`).slice(0, ids.length > MOST_NAMED + 1 ? MOST_NAMED : ids.length);
  const others = ids.length - named.length;
  const stories = (others > 0 ? [...named, vscode.l10n.t('and {0} others', others)] : named).join(', ');
  const versions = asked.filter(({ commit }) => commit.versionOf !== undefined).length;
  if (versions === 1) {
    return vscode.l10n.t(
      'Link {0} new commits, one of them a new version of an earlier one, to the stories they mention ({1})?',
      asked.length,
      stories,
    );
  }
  return versions > 0
    ? vscode.l10n.t(
        'Link {0} new commits, {1} of them new versions of earlier ones, to the stories they mention ({2})?',
        asked.length,
        versions,
        stories,
      )
    : vscode.l10n.t('Link {0} new commits to the stories they mention ({1})?', asked.length, stories);
}

/** Says of amended, rebased and picked commits that what was linked before stays; short, since a status bar is. */
function versionTexts(commits: readonly NewCommit[], linked: LinkedStories): readonly string[] {
  const [first, ...others] = commits.flatMap(({ versionOf }) =>
    versionOf !== undefined && linked(versionOf).length > 0 ? [versionOf] : [],
  );
  if (first === undefined) return [];
  return others.length === 0
    ? [vscode.l10n.t('This is a new version of {0}. The earlier comment stays.', first.slice(0, 8))]
    : [vscode.l10n.t('These are new versions of {0} commits. The earlier comments stay.', others.length + 1)];
}
