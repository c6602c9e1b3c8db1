import * as vscode from 'vscode';
import { messageOf } from '../../core/errors.ts';
import type { App } from '../../host/app.ts';
import { setLinkWish } from '../../host/git/commitLinkSettings.ts';
import { linkAll, outcomeText } from './linkAll.ts';
import { type LinkedStories, linkedStories } from './linkedStories.ts';
import { failureText } from './linkText.ts';
import { questionText, versionTexts } from './newCommitTexts.ts';
import {
  askedProjects,
  type HeldCommit,
  type PlannedCommit,
  plannedCommits,
  withoutProjects,
} from './plannedCommits.ts';
import { postedMessage } from './postedMessage.ts';
import { StoryFinder } from './storyFinder.ts';

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
