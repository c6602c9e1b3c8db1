import type * as vscode from 'vscode';
import { messageOf } from '../../core/errors.ts';
import type { StoryMention } from '../../core/mentions/storyMentions.ts';
import type { App } from '../../host/app.ts';

export type HostNeeds = Pick<App, 'history' | 'log'>;

/** Any commit: only whether a host has pages of commits is asked, and no host. */
const ANY_HASH = '0'.repeat(40);
/** So long a repository is taken to have the remotes that it had. */
const VALID_MS = 60_000;

interface Answer {
  readonly isHost: Promise<boolean>;
  readonly until: number;
}

const answers = new Map<string, Answer>();

/** Whether a number in a commit of a repository is that of a pull request: it looks so, and the remote is on a host that has some. */
export async function isPullRequest(
  { history, log }: HostNeeds,
  { isLikePullRequest }: StoryMention,
  repository: vscode.Uri | undefined,
): Promise<boolean> {
  if (!isLikePullRequest || !repository) return false;
  const root = repository.fsPath;
  const known = answers.get(root);
  if (known && known.until > Date.now()) return known.isHost;
  const isHost = history.commitUrl(root, ANY_HASH).then(
    (page) => page !== undefined,
    (thrown: unknown) => {
      log.debug(`remotes of ${root}: ${messageOf(thrown)}`);
      return false;
    },
  );
  answers.set(root, { isHost, until: Date.now() + VALID_MS });
  return isHost;
}
