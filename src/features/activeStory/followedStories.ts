import * as vscode from 'vscode';
import {
  type ActiveStory,
  accountOnServer,
  isSameStory,
  type StoryBinding,
} from '../../core/activeStory/storyBinding.ts';
import { findStory } from '../../core/backlog/backlog.ts';
import { messageOf } from '../../core/errors.ts';
import { isSameProject } from '../../core/story/projectKey.ts';
import type { App } from '../../host/app.ts';
import type { ActiveStoryView } from '../../host/git/activeStoryHolder.ts';
import { likelyRepository } from '../../host/git/chooseRepository.ts';
import type { GitRepository } from '../../host/git/gitBridge.ts';
import { isSameFolder } from '../../host/git/scmInput.ts';
import { bindBranch, boundStory, FollowedBranch } from './followedBranch.ts';

export type FollowNeeds = Pick<App, 'accounts' | 'backlogs' | 'engine' | 'git' | 'log' | 'workspaceMemory'>;

/** A story that is worked on, and where: in a repository or, without one, in the folder that is open. */
export interface WorkedStory {
  /** The root's address, under which it is remembered. */
  readonly place: string;
  readonly repository?: GitRepository;
  readonly story: ActiveStory;
}

interface Followed {
  readonly repository: GitRepository;
  readonly branch: FollowedBranch;
}

/** The stories that are worked on in this window, following the branches of its repositories. */
export class FollowedStories implements ActiveStoryView, vscode.Disposable {
  private readonly needs: FollowNeeds;
  private readonly followed = new Map<string, Followed>();
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly listening: vscode.Disposable;
  private repositories: vscode.Disposable | undefined;
  private readonly readings: Promise<void>[] = [];
  /** Places whose binding is being changed to where its story has moved. */
  private readonly rebinding = new Set<string>();
  /** The story of the folder that is open, for when it has no repository. */
  private ofFolder: ActiveStory | undefined;

  /** Another story is worked on, or is to be shown: the person turned to another repository perhaps. */
  readonly onDidChange = this.changed.event;

  constructor(needs: FollowNeeds) {
    this.needs = needs;
    const readAll = () => this.inBackground(this.readAll());
    this.listening = vscode.Disposable.from(
      // Whoever signed in may know now that no story is worked on.
      needs.accounts.onDidChange(() => this.inBackground(this.readAll().then(() => this.changed.fire()))),
      needs.backlogs.onDidChange(() => this.followMoved()),
      // Another window or a script may have bound a branch in the meantime.
      vscode.window.onDidChangeWindowState(({ focused }) => focused && readAll()),
      vscode.window.onDidChangeActiveTextEditor(() => this.followed.size > 1 && this.changed.fire()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.inBackground(this.begin())),
    );
  }

  /** Resolves when the repositories that are open have been looked at. */
  async begin(): Promise<void> {
    this.ofFolder = await this.needs.engine.activeStories.get(folderPlace());
    this.repositories?.dispose();
    this.repositories = await this.needs.git.follow((repository) => this.follow(repository));
    await Promise.all(this.readings.splice(0));
    this.changed.fire();
  }

  at(root: { readonly path: string }): ActiveStory | undefined {
    const found = [...this.followed.values()].find(({ repository }) => isSameFolder(repository.rootUri, root));
    return found?.branch.story;
  }

  /** What the person most likely works on now. */
  get shown(): WorkedStory | undefined {
    if (this.followed.size === 0) return this.ofFolder && { place: folderPlace(), story: this.ofFolder };
    const all = [...this.followed.values()];
    const likely = likelyRepository(all.map(({ repository }) => repository));
    const found = all.find((one) => (likely ? one.repository === likely : one.branch.story));
    return found?.branch.story && worked(found.repository, found.branch.story);
  }

  get active(): readonly ActiveStory[] {
    const worked = [this.shown, ...this.all].flatMap((one) => one?.story ?? []);
    return worked.filter((story, index) => worked.findIndex((other) => isSameStory(story, other)) === index);
  }

  /** Where something may be worked on, as far as it is known what: the repositories or, without any, the folder that is open. */
  get places(): readonly (Pick<WorkedStory, 'place'> & { readonly story?: ActiveStory })[] {
    if (this.followed.size === 0) return [{ place: folderPlace(), ...(this.ofFolder && { story: this.ofFolder }) }];
    return [...this.followed].flatMap(([place, { branch }]) =>
      branch.isRead ? { place, ...(branch.story && { story: branch.story }) } : [],
    );
  }

  /** Everything that is worked on in this window's repositories. */
  get all(): readonly WorkedStory[] {
    return [...this.followed.values()].flatMap(({ repository, branch }) =>
      branch.story ? [worked(repository, branch.story)] : [],
    );
  }

  /**
   * Has a story worked on in a repository, or in the folder without one; written down for `branch` or, when left out, for
   * the one that is checked out. `undefined`: nothing is worked on there any more.
   */
  async set(repository: GitRepository | undefined, story: ActiveStory | undefined, branch?: string): Promise<void> {
    const { activeStories } = this.needs.engine;
    if (!repository) {
      await activeStories.set(folderPlace(), story);
      this.ofFolder = story;
      return this.changed.fire();
    }
    if (branch === undefined) await repository.status();
    const bound = branch ?? repository.state.HEAD?.name;
    if (bound !== undefined) await bindBranch(repository, bound, story);
    await this.readOthers(repository, bound);
    if (bound !== repository.state.HEAD?.name) return;
    await activeStories.set(placeOf(repository), story);
    this.followed.get(placeOf(repository))?.branch.put(story);
  }

  /** The story that a branch is bound to, else that of the one that is checked out. */
  async boundTo(repository: GitRepository, branch?: string): Promise<ActiveStory | undefined> {
    const name = branch ?? repository.state.HEAD?.name;
    const binding = name === undefined ? undefined : await boundStory(repository, name);
    return binding && this.resolved(binding);
  }

  /** Whether the repository there is open. */
  isOpen(place: string): boolean {
    return this.followed.has(place);
  }

  dispose(): void {
    // Nobody is told of what ends with the window.
    this.changed.dispose();
    this.repositories?.dispose();
    this.listening.dispose();
  }

  private follow(repository: GitRepository): vscode.Disposable {
    const place = placeOf(repository);
    const { activeStories } = this.needs.engine;
    const branch = new FollowedBranch({
      head: () => repository.state.HEAD,
      bound: async (name) => {
        const binding = await boundStory(repository, name);
        return binding && this.resolved(binding);
      },
      remembered: () => activeStories.get(place),
      remember: (story) => activeStories.set(place, story),
      changed: () => this.changed.fire(),
    });
    this.followed.set(place, { repository, branch });
    const look = () => this.inBackground(branch.look());
    const listening = vscode.Disposable.from(
      repository.state.onDidChange(look),
      repository.ui.onDidChange(() => this.followed.size > 1 && this.changed.fire()),
      new vscode.Disposable(() => this.forget(place)),
    );
    this.readings.push(this.inBackground(branch.look()));
    return listening;
  }

  private forget(place: string): void {
    this.followed.delete(place);
    this.changed.fire();
  }

  /** Worktrees share the configuration, and with it what branches are bound to. */
  private async readOthers(repository: GitRepository, branch: string | undefined): Promise<void> {
    const others = [...this.followed.values()].filter(
      (one) => one.repository.state.HEAD?.name === branch && placeOf(one.repository) !== placeOf(repository),
    );
    await Promise.all(others.map((one) => one.branch.read()));
  }

  private async readAll(): Promise<void> {
    await Promise.all([...this.followed.values()].map(({ branch }) => branch.read()));
  }

  /** A story that is worked on may be moved to another project: what is bound to it names that one then. */
  private followMoved(): void {
    const { shown } = this;
    const worked: readonly WorkedStory[] = shown && this.followed.size === 0 ? [shown] : this.all;
    for (const { place, repository, story } of worked) {
      const moved = movedStory(this.needs.backlogs, story);
      if (!moved || this.rebinding.has(place)) continue;
      this.rebinding.add(place);
      const rebound = this.inBackground(this.set(repository, moved, repository?.state.HEAD?.name));
      void rebound.then(() => this.rebinding.delete(place));
    }
  }

  /**
   * An account that was not written down is found by the story. One that was is of a server, and on others the id is
   * another story's.
   */
  private async resolved({ storyId, projectId, accountId }: StoryBinding): Promise<ActiveStory | undefined> {
    const { accounts, backlogs } = this.needs;
    const signedIn = (await accounts.list()).map(({ id }) => id);
    if (accountId !== undefined && projectId !== undefined) {
      const found = accountOnServer(accountId, signedIn);
      const story = found === undefined ? undefined : { accountId: found, projectId, storyId };
      return story && (movedStory(backlogs, story) ?? story);
    }
    if (signedIn.length === 0) return undefined;
    const found = await backlogs.story(storyId, projectId === undefined ? {} : { projectId });
    return found && { ...found.key, storyId };
  }

  private async inBackground(work: Promise<void>): Promise<void> {
    await work.catch((thrown: unknown) => this.needs.log.warn(`active story: ${messageOf(thrown)}`));
  }
}

/** The story in the project that it was moved to, as far as backlogs tell; `undefined` where it was not, or that is not known. */
function movedStory(
  backlogs: Pick<App['backlogs'], 'peek' | 'peekStory'>,
  story: ActiveStory,
): ActiveStory | undefined {
  const { accountId, storyId } = story;
  const backlog = backlogs.peek(story);
  if (!backlog || findStory(backlog, storyId)) return undefined;
  const found = backlogs.peekStory(storyId, { accountId });
  return found && !isSameProject(found.key, story) ? { ...found.key, storyId } : undefined;
}

function worked(repository: GitRepository, story: ActiveStory): WorkedStory {
  return { place: placeOf(repository), repository, story };
}

function placeOf({ rootUri }: GitRepository): string {
  return rootUri.toString();
}

function folderPlace(): string {
  return (vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.parse('no-folder:')).toString();
}
