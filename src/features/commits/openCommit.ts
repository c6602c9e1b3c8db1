import * as vscode from 'vscode';
import { messageOf, TrackerError } from '../../core/errors.ts';
import { commitOf } from '../../core/outbox/withUnsentIntents.ts';
import { shortHash } from '../../core/text.ts';
import type { App } from '../../host/app.ts';
import type { GitRepository } from '../../host/git/gitBridge.ts';
import { isPlainObject } from '../../host/shell/commands.ts';
import { safeLink } from '../../host/shell/html.ts';
import { DetailNode } from '../../host/tree/nodes.ts';

/** A commit as its row or a program names it. */
interface NamedCommit {
  readonly commitId: string;
  /** Its page. */
  readonly address?: string;
}

/** Git's IDs, in full or their beginning; nothing else is passed on to Git. */
const COMMIT_ID = /^[0-9a-f]{7,64}$/i;

/**
 * Open Commit (contract.md): shows the changes of a commit in VS Code where one of the open repositories has it, else its page.
 * @throws TrackerError `input`, or `notFound` where there is neither.
 */
export async function openCommit({ git, log }: Pick<App, 'git' | 'log'>, argument: unknown): Promise<void> {
  const { commitId, address } = namedCommit(argument);
  const repository = await repositoryWith(await git.repositories(), commitId);
  const page = address === undefined ? undefined : safeLink(address);
  if (repository) {
    try {
      await vscode.commands.executeCommand('git.viewCommit', repository.rootUri, commitId);
      return;
    } catch (thrown) {
      // Older versions show no commits.
      if (page === undefined) throw thrown;
      log.warn(messageOf(thrown));
    }
  }
  if (page === undefined) {
    const sentence = vscode.l10n.t('Commit {0} is in none of the open repositories.', shortHash(commitId));
    throw new TrackerError('notFound', sentence);
  }
  await vscode.env.openExternal(vscode.Uri.parse(page, true));
}

function namedCommit(argument: unknown): NamedCommit {
  if (argument instanceof DetailNode) {
    const { parent, kind, id } = argument;
    const note = kind === 'note' ? parent.story.notes.find((one) => one.id === id) : undefined;
    const { hash, url } = (note && commitOf(note)) ?? {};
    if (hash !== undefined) return { commitId: hash, ...(url === undefined ? {} : { address: url }) };
  }
  if (isPlainObject(argument)) {
    const { commitId, address } = argument;
    if (typeof commitId === 'string' && COMMIT_ID.test(commitId))
      return { commitId, ...(typeof address === 'string' ? { address } : {}) };
  }
  throw new TrackerError('input', vscode.l10n.t('Pass the commit as { commitId: string }.'));
}

async function repositoryWith(
  repositories: readonly GitRepository[],
  commitId: string,
): Promise<GitRepository | undefined> {
  for (const repository of repositories) {
    const commit = await repository.getCommit(commitId).catch(() => undefined);
    if (commit) return repository;
  }
  return undefined;
}
