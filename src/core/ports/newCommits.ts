import type { Commit } from './history.ts';

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
  /** Author e-mail addresses that are this person's, besides those that Git's configuration says. */
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
