import * as vscode from 'vscode';
import type { ActiveStory } from '../../core/activeStory/storyBinding.ts';
import { messageOf, TrackerError } from '../../core/errors.ts';
import type { Caller } from '../../host/shell/commands.ts';
import { type BaseBranch, fetchProblem, rememberBase } from './baseBranch.ts';
import type { StoryBranch } from './finishPlace.ts';
import type { FollowedStories } from './followedStories.ts';
import type { WorkNeeds } from './startedWork.ts';
import { gitWords } from './storyBranches.ts';
import { type ChangesWish, SwitchError, type Switched, switchBack } from './switchBranch.ts';
import { keptTexts, sentenceOf, switchOrStash, switchProblem } from './switchOrStash.ts';
import type { GitDeed } from './workEntry.ts';

/** What finishing a story does in its repository. */
interface WantedEnd {
  readonly place: StoryBranch;
  readonly story: ActiveStory;
  readonly pushes: boolean;
  /** What becomes of uncommitted work on the way back to the base; absent where nobody goes back. */
  readonly back?: ChangesWish;
  readonly deletes: boolean;
  readonly caller: Caller;
}

/** A branch that was deleted, with what makes it anew. */
interface DeletedBranch {
  readonly tip: string;
  readonly bound: ActiveStory | undefined;
  readonly upstream: string | undefined;
}

/** What finishing a story has done in its repository, step by step. */
export class FinishedWork implements GitDeed {
  /** What a person is told beside that the story is finished, because it is not as they may think. Without names of branches: the status bar cuts long texts. */
  readonly notes: string[] = [];
  /** What was done, step by step. */
  readonly steps: string[] = [];
  private readonly needs: WorkNeeds;
  private readonly stories: FollowedStories;
  private readonly wanted: WantedEnd;
  private isPushed = false;
  private switched: Switched | undefined;
  private deleted: DeletedBranch | undefined;
  private isStopped = false;

  private constructor(needs: WorkNeeds, stories: FollowedStories, wanted: WantedEnd) {
    this.needs = needs;
    this.stories = stories;
    this.wanted = wanted;
  }

  /**
   * Pushes, which hooks and the remote may refuse, before anything else is changed. Where a step fails, `failed` is told what was done
   * before it and can be undone. @throws TrackerError with the step that failed, in Git's words.
   */
  static async finish(
    needs: WorkNeeds,
    stories: FollowedStories,
    wanted: WantedEnd,
    failed: (done: FinishedWork) => void,
  ): Promise<FinishedWork> {
    const finished = new FinishedWork(needs, stories, wanted);
    try {
      await finished.run();
      return finished;
    } catch (thrown) {
      if (finished.hasChanged) failed(finished);
      throw thrown;
    }
  }

  /** Whether there is something to undo, or to say of what cannot be. */
  get hasChanged(): boolean {
    return this.isPushed || this.switched !== undefined || this.isStopped;
  }

  private async run(): Promise<void> {
    const { place, story, pushes, back, deletes } = this.wanted;
    if (pushes) await this.push();
    if (back && place.base) await this.goBack(place.base, back, deletes);
    if (!place.isBase || !(await this.stories.boundTo(place.repository, place.branch))) return;
    // Whatever is done on the base from now on is not for this story.
    await this.stories.set(place.repository, undefined, place.branch);
    this.needs.log.debug(`story ${story.storyId} is no longer worked on in ${place.branch}`);
    this.isStopped = true;
  }

  private async push(): Promise<void> {
    const { repository, branch, remote } = this.wanted.place;
    if (remote === undefined) {
      throw new TrackerError('input', vscode.l10n.t('There is no remote to push {0} to. Add one first.', branch));
    }
    const title = vscode.l10n.t('Pushing {0}…', branch);
    try {
      await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () =>
        repository.push(remote, branch, repository.state.HEAD?.upstream?.name !== branch),
      );
      this.isPushed = true;
      this.steps.push(vscode.l10n.t('Pushed {0} to {1}.', branch, remote));
    } catch (thrown) {
      const words = sentenceOf(gitWords(thrown));
      const failed = vscode.l10n.t('Could not push {0} to {1}. {2}', branch, remote, words);
      throw new TrackerError('input', `${failed} ${unfinishedText()}`, { cause: thrown });
    }
  }

  private async goBack(base: BaseBranch, changes: ChangesWish, deletes: boolean): Promise<void> {
    const { place, story } = this.wanted;
    const { repository, branch } = place;
    const { branchFacts } = this.needs.engine;
    const before = await this.standing();
    const stashName = vscode.l10n.t('After story #{0}', story.storyId);
    const start = await branchFacts.tip(repository.rootUri.fsPath, base.ref);
    const isNew = start !== undefined && base.remote !== undefined;
    try {
      const wanted = { branch: base.branch, isNew, changes, stashName, ...(isNew && { start }) };
      this.switched = await switchOrStash(this.needs, repository, wanted, this.wanted.caller);
      if (this.switched.madeAt !== undefined && isNew) await this.follow(base.branch, base.text);
    } catch (thrown) {
      if (thrown instanceof SwitchError) this.switched = thrown.switched;
      const problem = switchProblem(thrown, base.branch);
      if (!(problem instanceof TrackerError)) throw problem;
      const pushed = this.isPushed ? [vscode.l10n.t('{0} was pushed.', branch)] : [];
      const sentence = [...pushed, messageOf(problem), unfinishedText()].join(' ');
      throw new TrackerError('input', sentence, { cause: problem });
    }
    this.steps.push(vscode.l10n.t('Switched to {0}.', base.branch));
    if (this.switched.stash !== undefined) {
      this.notes.push(vscode.l10n.t('Your changes are in the stash "{0}".', stashName));
    }
    if (deletes && before) await this.deleteMerged(base, before);
  }

  private async standing(): Promise<DeletedBranch | undefined> {
    const { repository, branch } = this.wanted.place;
    await repository.status();
    const tip = await this.tipOf(branch);
    if (tip === undefined) return undefined;
    const { upstream } = repository.state.HEAD ?? {};
    const bound = await this.stories.boundTo(repository, branch);
    return { tip, bound, upstream: upstream && `${upstream.remote}/${upstream.name}` };
  }

  /** What was merged on the remote a moment ago counts. A branch that is not merged stays, whatever Git would let go. */
  private async deleteMerged(base: BaseBranch, before: DeletedBranch): Promise<void> {
    const { repository, branch } = this.wanted.place;
    const root = repository.rootUri.fsPath;
    const unknown = base.remote === undefined ? undefined : await fetchProblem(repository, base.remote, base.branch);
    if (unknown !== undefined) this.needs.log.warn(`could not fetch ${base.text}: ${unknown}`);
    const into = [base.ref, `refs/heads/${base.branch}`];
    if (!(await this.needs.engine.branchFacts.isMerged(root, `refs/heads/${branch}`, into))) {
      this.notes.push(vscode.l10n.t('Not merged into {0}, so its branch stays.', base.text));
      return;
    }
    try {
      await repository.deleteBranch(branch);
    } catch (thrown) {
      this.needs.log.warn(gitWords(thrown));
    }
    if ((await this.tipOf(branch)) === undefined) {
      this.deleted = before;
      this.steps.push(vscode.l10n.t('Deleted the branch {0}.', branch));
    } else this.notes.push(vscode.l10n.t('Its commits are not in {0}, so Git kept its branch.', base.branch));
  }

  private tipOf(branch: string): Promise<string | undefined> {
    const { repository } = this.wanted.place;
    return this.needs.engine.branchFacts.tip(repository.rootUri.fsPath, `refs/heads/${branch}`);
  }

  /** Only taken back: doing it again goes back again, and pushes nothing. */
  async retrace() {
    const { place, story } = this.wanted;
    await this.makeBranchAgain();
    const kept = await this.takeBackSwitch();
    if (this.isStopped) await this.stories.set(place.repository, story, place.branch);
    const done = this.switched ? [vscode.l10n.t('Switched back to {0}.', place.branch)] : [];
    const pushed = this.isPushed ? [vscode.l10n.t('The push to {0} cannot be undone.', place.remote ?? '')] : [];
    return { inverse: this.again(), text: [...done, ...kept.texts, ...pushed].join(' '), warning: kept.warning };
  }

  private again(): GitDeed {
    const { needs, stories, wanted } = this;
    return {
      retrace: async () => ({
        inverse: await FinishedWork.finish(needs, stories, { ...wanted, pushes: false }, () => undefined),
        text: vscode.l10n.t('Finished story #{0} again.', wanted.story.storyId),
      }),
    };
  }

  private async makeBranchAgain(): Promise<void> {
    const { deleted, wanted } = this;
    const { repository, branch, base } = wanted.place;
    if (!deleted || (await this.tipOf(branch)) !== undefined) return;
    await repository.createBranch(branch, false, deleted.tip);
    await this.stories.set(repository, deleted.bound, branch);
    if (base) await rememberBase(repository, branch, base);
    if (deleted.upstream === undefined) return;
    await this.follow(branch, deleted.upstream);
  }

  private async follow(branch: string, upstream: string): Promise<void> {
    try {
      await this.wanted.place.repository.setBranchUpstream(branch, upstream);
    } catch (thrown) {
      this.needs.log.warn(gitWords(thrown));
    }
  }

  private async takeBackSwitch(): Promise<ReturnType<typeof keptTexts>> {
    const { switched, wanted } = this;
    if (!switched) return { texts: [] };
    try {
      return keptTexts(await switchBack(wanted.place.repository, this.needs.engine.branchFacts, switched));
    } catch (thrown) {
      throw switchProblem(thrown, wanted.place.branch);
    }
  }
}

function unfinishedText(): string {
  return vscode.l10n.t('The story is not finished yet. Fix this, then finish it again.');
}
