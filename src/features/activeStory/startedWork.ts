import * as vscode from 'vscode';
import type { ActiveStory } from '../../core/activeStory/storyBinding.ts';
import type { App } from '../../host/app.ts';
import type { GitRepository } from '../../host/git/gitBridge.ts';
import type { Caller } from '../../host/shell/commands.ts';
import { type BaseBranch, rememberBase } from './baseBranch.ts';
import type { FollowedStories } from './followedStories.ts';
import { CURRENT_BRANCH } from './pickBranch.ts';
import { type BranchSwitch, SwitchError, type Switched, switchBack } from './switchBranch.ts';
import { keptTexts, switchOrStash, switchProblem } from './switchOrStash.ts';
import type { GitDeed } from './workEntry.ts';
import { makeWorktree, type WantedWorktree } from './worktree.ts';

export interface WorkNeeds {
  readonly engine: Pick<App['engine'], 'branchFacts'>;
  readonly log: App['log'];
  readonly messages: Pick<App['messages'], 'ask'>;
}

/** What starting a story does in a repository. */
export interface WantedWork {
  readonly repository: GitRepository;
  readonly story: ActiveStory;
  /** The branch to check out; `CURRENT_BRANCH` is the one that is. */
  readonly wanted: BranchSwitch;
  /** Where a new branch begins, to be remembered. */
  readonly base?: BaseBranch;
  /** The folder to check the branch out in, in place of the one that is open. */
  readonly worktree?: WantedWorktree;
  /** Git sets the upstream of branches when they are first pushed. */
  readonly setsUpstream: boolean;
  readonly caller: Caller;
}

const UPSTREAM_KEY = 'push.autoSetupRemote';

/** Whether Git is not told yet to set the upstream of branches that are first pushed. */
export async function wantsUpstream(repository: Pick<GitRepository, 'getConfig'>): Promise<boolean> {
  return (await repository.getConfig(UPSTREAM_KEY)) === '';
}

/** What starting a story has done in a repository, step by step. */
export class StartedWork implements GitDeed {
  /** The folder that the branch is checked out in, where that is another one. */
  folder: vscode.Uri | undefined;
  private readonly needs: WorkNeeds;
  private readonly stories: FollowedStories;
  private readonly work: WantedWork;
  private switched: Switched | undefined;
  private madeWorktree: { readonly path: string; readonly madeAt?: string } | undefined;
  private bound: { readonly branch: string | undefined; readonly before: ActiveStory | undefined } | undefined;
  private setUpstream = false;

  private constructor(needs: WorkNeeds, stories: FollowedStories, work: WantedWork) {
    this.needs = needs;
    this.stories = stories;
    this.work = work;
  }

  /**
   * Begins to work. Where a step fails, `failed` is told what was done before it.
   * @throws TrackerError with the step that failed, in Git's words.
   */
  static async begin(
    needs: WorkNeeds,
    stories: FollowedStories,
    work: WantedWork,
    failed: (done: StartedWork) => void,
  ): Promise<StartedWork> {
    const started = new StartedWork(needs, stories, work);
    try {
      await started.run();
      return started;
    } catch (thrown) {
      if (started.switched || started.bound || started.madeWorktree) failed(started);
      throw thrown;
    }
  }

  private async run(): Promise<void> {
    const { repository, wanted, worktree, base, setsUpstream, story } = this.work;
    const isElsewhere = wanted.branch !== CURRENT_BRANCH;
    if (worktree) await this.makeWorktree(worktree);
    else if (isElsewhere) await this.checkOut();
    const branch = isElsewhere ? wanted.branch : undefined;
    if (isElsewhere && base && wanted.isNew) await rememberBase(repository, wanted.branch, base);
    const before = await this.stories.boundTo(repository, branch);
    this.bound = { branch: branch ?? repository.state.HEAD?.name, before };
    await this.stories.set(repository, story, branch);
    if (setsUpstream && (await wantsUpstream(repository))) {
      await repository.setConfig(UPSTREAM_KEY, 'true');
      this.setUpstream = true;
    }
  }

  private async checkOut(): Promise<void> {
    const { repository, wanted } = this.work;
    try {
      this.switched = await switchOrStash(this.needs, repository, wanted, this.work.caller);
    } catch (thrown) {
      if (thrown instanceof SwitchError) this.switched = thrown.switched;
      throw switchProblem(thrown, wanted.branch);
    }
  }

  private async makeWorktree(worktree: WantedWorktree): Promise<void> {
    const { repository, wanted } = this.work;
    const wasThere = (await this.tip()) !== undefined;
    this.folder = await makeWorktree(repository, wanted.branch, worktree, wanted.start);
    if (worktree.isThere) return;
    const madeAt = wasThere ? undefined : await this.tip();
    this.madeWorktree = { path: this.folder.fsPath, ...(madeAt !== undefined && { madeAt }) };
  }

  private tip(): Promise<string | undefined> {
    const { repository, wanted } = this.work;
    return this.needs.engine.branchFacts.tip(repository.rootUri.fsPath, `refs/heads/${wanted.branch}`);
  }

  /** Only taken back: doing it again begins anew, where it began. */
  async retrace() {
    const { repository, wanted, story } = this.work;
    const kept = await this.takeBackSwitch();
    const worktree = await this.takeBackWorktree();
    await this.takeBackBinding();
    if (this.setUpstream) await repository.unsetConfig?.(UPSTREAM_KEY);
    const { switched } = this;
    const home = switched?.from.name;
    const isHome = home !== undefined && home !== wanted.branch && repository.state.HEAD?.name === home;
    const done = isHome
      ? vscode.l10n.t('Switched back to {0}.', home)
      : vscode.l10n.t('Story #{0} is no longer the active story.', story.storyId);
    return { inverse: this.again(), text: [done, ...kept.texts, ...worktree].join(' '), warning: kept.warning };
  }

  private again(): GitDeed {
    const { needs, stories, work } = this;
    const madeAt = this.switched?.madeAt ?? this.madeWorktree?.madeAt;
    const wanted = madeAt === undefined ? work.wanted : { ...work.wanted, isNew: true, start: madeAt };
    return {
      retrace: async () => {
        const inverse = await StartedWork.begin(needs, stories, { ...work, wanted }, () => undefined);
        return { inverse, text: vscode.l10n.t('You are working on story #{0} again.', work.story.storyId) };
      },
    };
  }

  private async takeBackSwitch(): Promise<ReturnType<typeof keptTexts>> {
    const { switched, work } = this;
    if (!switched) return { texts: [] };
    try {
      return keptTexts(await switchBack(work.repository, this.needs.engine.branchFacts, switched));
    } catch (thrown) {
      throw switchProblem(thrown, switched.from.name ?? switched.from.commit ?? '');
    }
  }

  private async takeBackWorktree(): Promise<readonly string[]> {
    const { madeWorktree: made, work } = this;
    if (!made) return [];
    const { repository, wanted } = work;
    await repository.deleteWorktree?.(made.path).catch((thrown: unknown) => this.needs.log.warn(String(thrown)));
    await repository.status();
    if ((repository.state.worktrees ?? []).some(({ path }) => path === made.path)) {
      return [vscode.l10n.t('The worktree in {0} stays.', made.path)];
    }
    if (made.madeAt === undefined || (await this.tip()) !== made.madeAt) {
      return made.madeAt === undefined ? [] : keptTexts({ branch: wanted.branch }).texts;
    }
    await repository.deleteBranch(wanted.branch, true);
    return [];
  }

  /** A branch that was deleted is bound to nothing. */
  private async takeBackBinding(): Promise<void> {
    const { bound, work } = this;
    if (!bound) return;
    const { repository } = work;
    const isThere =
      bound.branch === undefined ||
      (await this.needs.engine.branchFacts.tip(repository.rootUri.fsPath, `refs/heads/${bound.branch}`)) !==
        undefined ||
      bound.branch === repository.state.HEAD?.name;
    if (isThere) await this.stories.set(repository, bound.before, bound.branch);
  }
}
