import * as vscode from 'vscode';

/** The members of VS Code's Git extension API (version 1) that we use, in our own words. */
export interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
  readonly ui: { readonly selected: boolean; readonly onDidChange: vscode.Event<void> };
  readonly state: {
    readonly HEAD:
      | {
          readonly name?: string;
          readonly commit?: string;
          readonly upstream?: { readonly remote: string; readonly name: string };
        }
      | undefined;
    /** What is not committed: what was changed, was added to the index, is in conflict, and what Git does not know yet. */
    readonly workingTreeChanges?: readonly unknown[];
    readonly indexChanges?: readonly unknown[];
    readonly mergeChanges?: readonly unknown[];
    readonly untrackedChanges?: readonly unknown[];
    /** Absent in older versions. */
    readonly worktrees?: readonly GitWorktree[];
    /** What a rebase has stopped at. */
    readonly rebaseCommit?: WrittenCommit;
    readonly onDidChange: vscode.Event<void>;
  };
  /** Looks at the repository anew: `state` is some moments late after what a terminal did. */
  status(): Promise<void>;
  /** Empty when the key has no value. */
  getConfig(key: string): Promise<string>;
  /** Adds a value beside those that the key has; the last one counts. Does not tell what fails. */
  setConfig(key: string, value: string): Promise<string>;
  /** Absent in older versions. */
  unsetConfig?(key: string): Promise<string>;
  /** Local ones, and those of remotes too where they are asked for, whose names begin with that of the remote. */
  getBranches(query: {
    readonly remote: boolean;
  }): Promise<readonly { readonly name?: string; readonly remote?: string }[]>;
  /** At the commit `ref`, else at the one that is checked out; it follows no other branch. */
  createBranch(name: string, checkout: boolean, ref?: string): Promise<void>;
  /** Without `force` Git keeps what is not merged into its upstream or into what is checked out. */
  deleteBranch(name: string, force?: boolean): Promise<void>;
  checkout(treeish: string): Promise<void>;
  getCommit(ref: string): Promise<WrittenCommit>;
  /** The newest of HEAD first. @throws Error where there is no commit yet. */
  log(options: { readonly maxEntries: number }): Promise<readonly WrittenCommit[]>;
  /** Asks for what the remote wants to know of a person, as VS Code does. */
  fetch(options: { readonly remote: string; readonly ref?: string }): Promise<void>;
  push(remote: string, branch: string, setUpstream: boolean): Promise<void>;
  setBranchUpstream(name: string, upstream: string): Promise<void>;
  /** Puts away what is not committed. Absent in older versions. */
  createStash?(options: { readonly message: string; readonly includeUntracked: boolean }): Promise<void>;
  /** Brings back the stash of this index; what conflicts stays in the list. Absent in older versions. */
  popStash?(index: number): Promise<void>;
  /**
   * Checks `commitish` out in the folder `path`, on the new branch `branch` when one is given, and tells the folder. As with
   * every checkout of VS Code's, the repository's `post-checkout` hook runs. Absent in older versions.
   */
  createWorktree?(options: {
    readonly path: string;
    readonly commitish: string;
    readonly branch?: string;
  }): Promise<string>;
  /** VS Code asks where something in it is not committed. Absent in older versions. */
  deleteWorktree?(path: string): Promise<void>;
}

/** A commit as VS Code's Git tells it. */
export interface WrittenCommit {
  readonly hash: string;
  readonly message: string;
}

/** A folder in which something of a repository is checked out. */
export interface GitWorktree {
  readonly path: string;
  /** `refs/heads/<branch>`, or a hash when no branch is checked out. */
  readonly ref: string;
  /** It is the repository's first folder, which holds `.git`. */
  readonly main?: boolean;
}

/**
 * Adds to what VS Code shows of a commit in blame, timeline and graph. Of all that were added, the first that gives something counts:
 * for a repository on GitHub that is VS Code's own.
 */
export interface CommitDetails {
  /** The pictures of authors, by commit. */
  provideAvatar(): undefined;
  /** Commands below every commit of a repository; each is given the hash of its commit behind its own arguments. */
  provideHoverCommands(repository: Pick<GitRepository, 'rootUri'>): Promise<vscode.Command[] | undefined>;
  /**
   * A commit message as Markdown with links in it; `undefined` where it has none. Blame and timeline run those of its commands that
   * they show below it, which they do for commits that were pushed or have nowhere to be pushed to. The graph trusts no link of it but
   * to the web, so commands are text there and only those of `provideHoverCommands` run.
   */
  provideMessageLinks(repository: Pick<GitRepository, 'rootUri'>, message: string): Promise<string | undefined>;
}

/** Adds to what VS Code's commit button offers below its arrow. */
interface PostCommitCommands {
  /** Each commits and then, if that went well, runs its command with the repository. */
  getCommands(repository: Pick<GitRepository, 'rootUri'>): vscode.Command[];
}

interface GitApi {
  /** The program that VS Code runs. */
  readonly git: { readonly path: string };
  readonly state: 'uninitialized' | 'initialized';
  readonly onDidChangeState: vscode.Event<unknown>;
  readonly repositories: readonly GitRepository[];
  readonly onDidOpenRepository: vscode.Event<GitRepository>;
  readonly onDidCloseRepository: vscode.Event<GitRepository>;
  /** Absent in older versions. */
  registerSourceControlHistoryItemDetailsProvider?(details: CommitDetails): vscode.Disposable;
  /** Absent in older versions. VS Code asks for the commands again when one is registered or disposed. */
  registerPostCommitCommandsProvider?(commands: PostCommitCommands): vscode.Disposable;
}

interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): GitApi;
}

/** VS Code's own Git, which may be absent, disabled or late. Nothing here runs Git. */
export class GitBridge {
  private readonly tellProgram: (path: string) => Promise<void>;

  /** `tellProgram` is told which Git VS Code runs before anything of a repository is given. */
  constructor(tellProgram: (path: string) => Promise<void>) {
    this.tellProgram = tellProgram;
  }

  /** The open repositories; none when Git is absent, disabled, or the workspace is not trusted. */
  async repositories(): Promise<readonly GitRepository[]> {
    return (await this.api())?.repositories ?? [];
  }

  /** Calls `opened` for each repository that is open or will be, and disposes what it gives once it is closed. */
  async follow(opened: (repository: GitRepository) => vscode.Disposable): Promise<vscode.Disposable> {
    const api = await this.api();
    if (!api) return vscode.Disposable.from();
    // The Git extension makes a new object of the same repository each time it tells of it.
    const followed = new Map<string, vscode.Disposable>();
    const open = (repository: GitRepository) => {
      const root = repository.rootUri.toString();
      if (!followed.has(root)) followed.set(root, opened(repository));
    };
    const close = ({ rootUri }: GitRepository) => {
      followed.get(rootUri.toString())?.dispose();
      followed.delete(rootUri.toString());
    };
    const listening = [api.onDidOpenRepository(open), api.onDidCloseRepository(close)];
    api.repositories.forEach(open);
    return new vscode.Disposable(() => {
      for (const one of [...listening, ...followed.values()]) one.dispose();
    });
  }

  /** Adds to what VS Code shows of commits; adds nothing where Git is absent, disabled, too old, or the workspace is not trusted. */
  async addCommitDetails(details: CommitDetails): Promise<vscode.Disposable> {
    const api = await this.api();
    return api?.registerSourceControlHistoryItemDetailsProvider?.(details) ?? vscode.Disposable.from();
  }

  /** Adds to the commit button; adds nothing where `addCommitDetails` adds nothing. */
  async addPostCommitCommands(commands: PostCommitCommands): Promise<vscode.Disposable> {
    const api = await this.api();
    return api?.registerPostCommitCommandsProvider?.(commands) ?? vscode.Disposable.from();
  }

  private async api(): Promise<GitApi | undefined> {
    if (!vscode.workspace.isTrusted) return undefined;
    const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
    if (!extension) return undefined;
    const git = extension.isActive ? extension.exports : await extension.activate();
    if (!git.enabled) return undefined;
    const api = git.getAPI(1);
    if (api.state !== 'initialized') await initialized(api);
    await this.tellProgram(api.git.path);
    return api;
  }
}

/** Resolves when the Git extension has looked for repositories, or after some seconds when it never says so. */
function initialized(api: GitApi): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      listening.dispose();
      resolve();
    };
    const timer = setTimeout(done, 5000);
    const listening = api.onDidChangeState(() => {
      if (api.state === 'initialized') done();
    });
  });
}

/** Where commit messages are written: the commit box and the file that `git commit` waits for. */
export const commitMessages: vscode.DocumentSelector = [{ language: 'scminput' }, { language: 'git-commit' }];
