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
