import * as vscode from 'vscode';
import { TrackerError } from '../core/errors.ts';
import type { GitBridge, GitRepository } from './gitBridge.ts';
import { repositoryName } from './repositoryName.ts';
import { requireTrust } from './requireTrust.ts';
import { isSameFolder } from './scmInput.ts';

/**
 * The repository a command is about: the one asked from, else the one selected in Source Control, else the active
 * editor's, else the only one, else the one picked. `undefined`: the person turned away.
 * @throws TrackerError `input` in Restricted Mode, without any repository, and when `asked` is none.
 */
export async function chooseRepository(git: GitBridge, asked?: vscode.Uri): Promise<GitRepository | undefined> {
  const repositories = await openRepositories(git);
  if (asked) return repositoryAt(repositories, asked);
  const [only, ...others] = repositories;
  if (others.length === 0) return only;
  const selected = repositories.filter(({ ui }) => ui.selected);
  if (selected.length === 1) return selected[0];
  return ofActiveEditor(repositories) ?? pickRepository(repositories);
}

/** @throws TrackerError `input` in Restricted Mode and without any repository. */
async function openRepositories(git: GitBridge): Promise<readonly GitRepository[]> {
  requireTrust();
  const repositories = await git.repositories();
  if (repositories.length > 0) return repositories;
  throw new TrackerError('input', vscode.l10n.t('Open a folder with a Git repository to work with its commits.'));
}

function repositoryAt(repositories: readonly GitRepository[], asked: vscode.Uri): GitRepository {
  const found = repositories.find(({ rootUri }) => isSameFolder(rootUri, asked));
  if (found) return found;
  throw new TrackerError('input', vscode.l10n.t('There is no open Git repository at {0}.', asked.toString(true)));
}

/** The innermost repository around the file in the active editor. */
function ofActiveEditor(repositories: readonly GitRepository[]): GitRepository | undefined {
  const file = vscode.window.activeTextEditor?.document.uri;
  if (!file) return undefined;
  return repositories
    .filter(({ rootUri }) => file.path.startsWith(`${rootUri.path.replace(/\/+$/, '')}/`))
    .toSorted((one, other) => other.rootUri.path.length - one.rootUri.path.length)[0];
}

async function pickRepository(repositories: readonly GitRepository[]): Promise<GitRepository | undefined> {
  const items = repositories.map((repository) => ({
    label: `$(repo) ${repositoryName(repository)}`,
    description: repository.state.HEAD?.name ?? '',
    detail: repository.rootUri.fsPath,
    repository,
  }));
  const picked = await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('Choose a repository') });
  return picked?.repository;
}
