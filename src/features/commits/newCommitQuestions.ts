import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { messageOf } from '../../core/errors.ts';
import type { App } from '../../host/app.ts';
import { setLinkWish } from '../../host/git/commitLinkSettings.ts';
import { withoutIcons } from '../../host/shell/plainText.ts';
import { linkAll, outcomeText, StoryFinder } from './linkAll.ts';
import { failureText, linkLabels, questionText, shortQuestionText, versionTexts } from './linkText.ts';
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

/** What becomes of commits that someone was asked about; `skip`: these are not linked. */
type Answer = 'link' | 'always' | 'never' | 'skip';

/** What the commit of a short question is about. */
function subjectOf({ commit }: PlannedCommit): string {
  return commit.message.split('\n', 1)[0] ?? '';
}

/** Changes of backlogs come in many pieces. */
const PAUSE_MS = 1000;

/** More at once come of a history that was rewritten: they are asked about also where commits are linked without asking. */
const MOST_UNASKED = 30;

/**
 * Decides about new commits: by the settings of their stories' projects, and where those say so, by one question for all. The
 * status bar goes on asking where the question was closed, and so do later windows.
 */
export class NewCommitQuestions implements vscode.Disposable {
  private readonly needs: QuestionNeeds;
  private readonly inHand = new Set<string>();
  private readonly listening: vscode.Disposable;
  private asked: readonly PlannedCommit[] = [];
  /** Whose stories could not be looked for, since a server was away. */
  private stuck: readonly HeldCommit[] = [];
  private deciding: Promise<void> = Promise.resolve();
  private item: vscode.StatusBarItem | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(needs: QuestionNeeds) {
    this.needs = needs;
    this.listening = vscode.Disposable.from(
      needs.backlogs.onDidChange(() => this.look()),
      needs.accounts.onDidChange(() => this.inBackground(this.dropSignedOut())),
    );
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.listening.dispose();
    this.item?.dispose();
  }

  private look(): void {
    if (this.asked.length > 0) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.inBackground(this.dropLinked()), PAUSE_MS);
    }
    if (this.stuck.length === 0 || this.needs.backlogs.failures.length > 0) return;
    const again = this.stuck;
    this.stuck = [];
    this.inBackground(this.decide(again));
  }

  private inBackground(work: Promise<void>): void {
    work.catch((thrown: unknown) => this.needs.log.warn(messageOf(thrown)));
  }

  /**
   * Takes all undecided commits of a repository, and in hand those that are not yet; those it has no more, since others took
   * their place, are no longer asked about. Resolves when they were decided about or asked about.
   */
  async take(repository: string, commits: readonly HeldCommit[]): Promise<void> {
    const hashes = new Set(commits.map(({ commit }) => commit.hash));
    const isGone = (held: HeldCommit) => held.repository === repository && !hashes.has(held.commit.hash);
    for (const held of [...this.asked, ...this.stuck].filter(isGone)) this.inHand.delete(held.commit.hash);
    this.put(this.asked.filter((held) => !isGone(held)));
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
    this.put([...this.asked, ...commits]);
    const asked = new Set(this.asked);
    const { link, always } = linkLabels(this.needs, this.asked);
    const answers: Readonly<Record<string, Answer>> = {
      [link]: 'link',
      [always]: 'always',
      [vscode.l10n.t('Never for This Project')]: 'never',
    };
    const pressed = await this.needs.messages.info(questionText(this.asked), ...Object.keys(answers));
    const answer = pressed === undefined ? undefined : answers[pressed];
    if (answer) await this.answer(asked, answer);
  }

  /**
   * Asks once more about all commits that nobody has answered about, or takes the answer from `link` without asking. Resolves
   * when it was done.
   */
  async askAgain(link?: boolean): Promise<void> {
    await this.dropLinked();
    const asked = new Set(this.asked);
    if (asked.size === 0) return this.needs.messages.status(vscode.l10n.t('There are no new commits to link.'));
    const answer = link === undefined ? await this.pickAnswer() : link ? 'link' : 'skip';
    if (answer) await this.answer(asked, answer);
  }

  private async pickAnswer(): Promise<Answer | undefined> {
    const { link, always } = linkLabels(this.needs, this.asked);
    const [only] = this.asked.length === 1 ? this.asked : [];
    const items: readonly (vscode.QuickPickItem & { readonly answer: Answer })[] = [
      { label: `$(link) ${link}`, ...(only && { detail: withoutIcons(subjectOf(only)) }), answer: 'link' },
      {
        label: `$(check-all) ${always}`,
        detail: vscode.l10n.t('Without asking from now on, and as the marker of each commit says'),
        answer: 'always',
      },
      { label: `$(circle-slash) ${vscode.l10n.t('Never for This Project')}`, answer: 'never' },
      { label: `$(close) ${vscode.l10n.t('Do Not Link These Commits')}`, answer: 'skip' },
    ];
    const placeHolder = withoutIcons(shortQuestionText(this.asked));
    return (await vscode.window.showQuickPick(items, { placeHolder }))?.answer;
  }

  private async answer(asked: ReadonlySet<PlannedCommit>, answer: Answer): Promise<void> {
    const answered = this.asked.filter((one) => asked.has(one));
    this.put(this.asked.filter((one) => !asked.has(one)));
    if (answered.length === 0) return;
    if (answer === 'skip') return this.settle(answered);
    const projects = askedProjects(this.needs.backlogs, answered);
    if (answer === 'always') await setLinkWish(projects, 'api');
    if (answer === 'never') await setLinkWish(projects, 'off');
    const isWanted = answer !== 'never';
    await this.link(isWanted ? answered : withoutProjects(this.needs.backlogs, answered, projects));
    if (!isWanted) await this.settle(answered);
  }

  /** What is asked about, which the status bar shows until it is answered. */
  private put(asked: readonly PlannedCommit[]): void {
    this.asked = asked;
    if (asked.length === 0) this.item?.hide();
    else this.showItem();
  }

  private showItem(): void {
    const { length } = this.asked;
    this.item ??= vscode.window.createStatusBarItem('storyTracker.newCommits', vscode.StatusBarAlignment.Left, 89);
    const text = length === 1 ? vscode.l10n.t('1 Commit to Link') : vscode.l10n.t('{0} Commits to Link', length);
    this.item.name = vscode.l10n.t('Commits to Link');
    this.item.text = `$(git-commit) ${text}`;
    this.item.tooltip = questionText(this.asked);
    this.item.accessibilityInformation = { label: text, role: 'button' };
    this.item.command = commandIds.linkNewCommits;
    this.item.show();
  }

  /** Commits may be linked otherwise while they are asked about, as by *Link Existing Commits*. */
  private async dropLinked(): Promise<void> {
    if (this.asked.length === 0) return;
    const linked = await linkedStories(this.needs.engine.linkedCommits);
    const isDone = ({ commit, stories }: PlannedCommit) =>
      stories.every(({ key, story }) =>
        linked(commit.hash).some((one) => one.account.accountId === key.accountId && one.storyId === story.id),
      );
    const done = this.asked.filter(isDone);
    this.put(this.asked.filter((one) => !done.includes(one)));
    await this.settle(done);
  }

  /** They are asked about again when someone signs in there. */
  private async dropSignedOut(): Promise<void> {
    const signedIn = new Set((await this.needs.accounts.list()).map(({ id }) => id));
    const isLeft = ({ stories }: PlannedCommit) => stories.some(({ key }) => signedIn.has(key.accountId));
    for (const one of this.asked) if (!isLeft(one)) this.inHand.delete(one.commit.hash);
    this.put(this.asked.filter(isLeft));
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
