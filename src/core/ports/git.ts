import type { MarkerVerb } from '../marker/markerSyntax.ts';

/** Where a repository's `prepare-commit-msg` hook is, and whose. */
export interface HookPlace {
  readonly file: string;
  /** It is among the repository's own files in `.git`; elsewhere other repositories or people may share it. */
  readonly isOwn: boolean;
  readonly owner: 'nobody' | 'us' | 'others';
}

/** The hook that names a branch's story in messages of commits made without VS Code. Ask only in a trusted workspace. */
export interface CommitHooks {
  place(root: string): Promise<HookPlace>;
  /** Puts ours there; that of others is kept beside it and runs first. @throws Error with a sentence. */
  install(root: string, verb: MarkerVerb): Promise<void>;
  /** Removes our hook and restores the one that was there before. `false` when ours is not installed. */
  remove(root: string): Promise<boolean>;
}

/** One commit of a repository's history. */
export interface Commit {
  readonly hash: string;
  /** The whole message, subject and body. */
  readonly message: string;
  readonly authorName: string;
  readonly authorEmail: string;
  /** Milliseconds since the epoch. */
  readonly authoredAt: number;
}

export interface HistoryQuery {
  /** Newest first, at most so many. */
  readonly limit: number;
  readonly skip?: number;
}

/** What we ask Git itself. Only ever called for a trusted workspace; nothing of the repository is run. */
export interface History {
  /** @throws Error with a sentence when `root` is no repository or Git is missing. */
  commits(root: string, query: HistoryQuery, options?: { readonly signal?: AbortSignal }): Promise<readonly Commit[]>;
  /** The commits with these hashes or revisions, in the order given. */
  commitsNamed(
    root: string,
    revisions: readonly string[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly Commit[]>;
  /**
   * Page of a commit on the host of the repository's remote, where one is known; or as a `template` says, in which
   * `${commit}`, `${host}` and `${path}` (owner and name) stand for what is meant.
   */
  commitUrl(root: string, hash: string, template?: string): Promise<string | undefined>;
}

/** A commit of this person's that nobody has decided about yet. */
export interface NewCommit extends Commit {
  /** The commit found before of which this one is a new version: amended, rebased or picked. */
  readonly versionOf?: string;
}

export interface NewCommits {
  /** What names the repository for `settle`: one for all its worktrees. */
  readonly repository: string;
  /** Oldest first. */
  readonly commits: readonly NewCommit[];
  /** A rebase is under way: its commits are looked for when it has ended. */
  readonly isUnsettled: boolean;
}

export interface CommitFindingQuery {
  /** Author email addresses that are this person's, besides those that Git's configuration says. */
  readonly emails: readonly string[];
}

/**
 * Finds the commits with markers that a person made since the repository was first looked at, wherever they were made; each
 * is given to one window only, until it is settled or that window has ended. Ask only in a trusted workspace.
 */
export interface CommitFinder {
  /** The first time it remembers where the repository stands and finds nothing. @throws Error with a sentence. */
  find(root: string, query: CommitFindingQuery): Promise<NewCommits>;
  /** Nobody is to be asked about these any more. */
  settle(repository: string, hashes: readonly string[]): Promise<void>;
}

/** A remote of a repository. */
export interface RemoteFacts {
  readonly name: string;
  /** The branch that others begin at, as far as is known without asking the remote. */
  readonly defaultBranch?: string;
}

/** How a repository's branches stand to each other. Ask only in a trusted workspace; nothing is fetched and nothing changed. */
export interface BranchFacts {
  /** The one that the branch is pushed to first. @throws Error with a sentence when `root` is no repository. */
  remotes(root: string): Promise<readonly RemoteFacts[]>;
  /** The commit that a full name such as `refs/heads/main` or a hash means; `undefined` where there is none. */
  tip(root: string, ref: string): Promise<string | undefined>;
  /** Hashes of the commits that were made on the way to `tip` and that `base` does not have, the oldest first. */
  ownCommits(root: string, tip: string, base: string): Promise<readonly string[]>;
  /** Whether one of these has everything that `commit` has; what is not there has nothing. */
  isMerged(root: string, commit: string, into: readonly string[]): Promise<boolean>;
  /** Where a stash is in the list, 0 for the latest; `undefined` when it is no longer there. */
  stashIndex(root: string, stash: string): Promise<number | undefined>;
  /** Whether a stash has only files that are still as they were: of others Git would leave conflicts behind, or half of them. */
  stashFits(root: string, stash: string): Promise<boolean>;
  /** The page on which a pull request is opened, where the host of the remote is known. */
  pullRequestUrl(root: string, remote: string, branch: string, base: string): Promise<string | undefined>;
}
