import * as vscode from 'vscode';
import { messageOf, TrackerError } from '../../core/errors.ts';
import { withoutMarker } from '../../core/marker.ts';
import type { NewCommit } from '../../core/newCommits.ts';
import type { App } from '../../host/app.ts';
import { linkWish, setLinkWish } from '../../host/commitLinkSettings.ts';
import type { FoundStory } from '../../host/foundStory.ts';
import type { ProjectKey } from '../../host/nodes.ts';
import { linkAll, outcomeText } from './linkAll.ts';
import { linkedStories } from './linkedStories.ts';
import { failureText } from './linkText.ts';
import { namedStories } from './namedStories.ts';
import { questionText, versionTexts } from './newCommitTexts.ts';
import { StoryFinder } from './storyFinder.ts';

/** A commit nobody has decided about, and where it was made. */
export interface HeldCommit {
  readonly root: string;
  readonly repository: string;
  readonly commit: NewCommit;
}

/** With the stories that it is to be linked to, and the ids of those whose projects do not want that. */
interface PlannedCommit extends HeldCommit {
  readonly stories: readonly FoundStory[];
  readonly unwanted: readonly number[];
}

export type QuestionNeeds = Pick<App, 'accounts' | 'backlogs' | 'engine' | 'history' | 'log' | 'messages'>;

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

  /** Takes commits in hand that are not yet. Resolves when they were decided about or asked about. */
  async take(commits: readonly HeldCommit[]): Promise<void> {
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
    const toLink: PlannedCommit[] = [];
    const toAsk: PlannedCommit[] = [];
    for (const held of commits) {
      const decision = await this.planned(held);
      if (decision === 'later') this.stuck = [...this.stuck, held];
      else if (decision === 'not') await this.settle([held]);
      else (decision.isAsked ? toAsk : toLink).push(decision.plan);
    }
    await this.link(toLink);
    if (toAsk.length > 0) void this.ask(toAsk).catch((thrown: unknown) => this.needs.messages.error(thrown));
  }

  private async planned(held: HeldCommit): Promise<{ plan: PlannedCommit; isAsked: boolean } | 'later' | 'not'> {
    const { hash, message } = held.commit;
    try {
      const named = await namedStories(this.needs, message);
      const wishes = named.stories.map((found) => ({ found, wish: this.wishFor(found.key, held.root) }));
      const wanted = wishes.filter(({ wish }) => wish === 'ask' || wish === 'api');
      const linked = (await linkedStories(this.needs.engine.linkedCommits))(hash);
      const stories = wanted.map(({ found }) => found).filter(({ story }) => !linked.includes(story.id));
      if (stories.length === 0) return 'not';
      const unwanted = wishes
        .filter(({ wish }) => wish === 'off' || wish === 'serverHook')
        .map(({ found }) => found.story.id);
      return {
        plan: { ...held, stories, unwanted },
        isAsked: named.isAmbiguous || wanted.some(({ wish }) => wish === 'ask'),
      };
    } catch (thrown) {
      this.needs.log.warn(`commit ${hash}: ${messageOf(thrown)}`);
      return thrown instanceof TrackerError && thrown.kind === 'notFound' ? 'not' : 'later';
    }
  }

  private wishFor(key: ProjectKey, root: string) {
    return linkWish(this.projectName(key), vscode.Uri.file(root));
  }

  /** The server and the project's id: ids are unique on a server only. */
  private projectName(key: ProjectKey): string {
    return `${this.needs.backlogs.hostOf(key)}/${key.projectId}`;
  }

  /** A later question is about everything that was asked before and not answered. */
  private async ask(commits: readonly PlannedCommit[]): Promise<void> {
    this.asked = [...this.asked, ...commits];
    const question = ++this.questions;
    const [link, always, never] = [
      vscode.l10n.t('Link'),
      vscode.l10n.t('Always'),
      vscode.l10n.t('Never for This Project'),
    ];
    const answer = await this.needs.messages.info(questionText(this.asked), link, always, never);
    if (answer === undefined && question !== this.questions) return;
    const answered = this.asked;
    this.asked = [];
    const projects = [...new Set(answered.flatMap(({ stories }) => stories.map(({ key }) => this.projectName(key))))];
    if (answer === always) await setLinkWish(projects, 'api');
    if (answer === never) await setLinkWish(projects, 'off');
    if (answer === link || answer === always) await this.link(answered);
    else await this.settle(answered);
  }

  private async link(commits: readonly PlannedCommit[]): Promise<void> {
    for (const [root, inRoot] of Map.groupBy(commits, (held) => held.root)) {
      const unwanted = new Map(inRoot.map((one) => [one.commit.hash, one.unwanted]));
      const finder = new StoryFinder(this.needs, undefined);
      const linking = inRoot.map(({ commit }) => commit);
      const outcomes = await linkAll(
        this.needs,
        finder,
        root,
        linking,
        ({ hash, message }) => withoutMarker(message, unwanted.get(hash) ?? [], { commentChar: '' }).text,
      );
      await this.settle(inRoot);
      const failed = outcomes.some(({ status }) => status === 'failed');
      const text = failed ? failureText(outcomes) : outcomeText(this.needs, outcomes);
      this.needs.messages.status([text, ...versionTexts(linking)].join(' '));
    }
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
