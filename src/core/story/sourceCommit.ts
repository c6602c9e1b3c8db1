/** A commit as endpoint 6 takes it. The marker in `message` names the stories. */
export interface SourceCommit {
  readonly commitId: string;
  readonly message: string;
  readonly author: string;
  /** Address of the commit's page; the comment on the story links to it. */
  readonly url?: string;
}
