import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import { withoutEnd } from '../../core/text.ts';
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
  return likelyRepository(repositories) ?? pickRepository(repositories);
}

/** The repository that a person most likely works in now; `undefined` when there is nothing to tell it by. */
export function likelyRepository<T extends GitRepository>(repositories: readonly T[]): T | undefined {
  const [only, ...others] = repositories;
  if (others.length === 0) return only;
  const selected = repositories.filter(({ ui }) => ui.selected);
  return selected.length === 1 ? selected[0] : ofActiveEditor(repositories);
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
function ofActiveEditor<T extends GitRepository>(repositories: readonly T[]): T | undefined {
  const file = vscode.window.activeTextEditor?.document.uri;
  if (!file) return undefined;
  return repositories
    .filter(({ rootUri }) => file.path.startsWith(`${withoutEnd(rootUri.path, '/')}/`))
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
