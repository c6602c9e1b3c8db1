import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import { withoutEnd } from '../../core/text.ts';
import { isPlainObject } from '../shell/commands.ts';
import type { GitBridge, GitRepository } from './gitBridge.ts';
import { isSameFolder } from './scmInput.ts';

const PICKED = 'storyTracker.pickedRepository';

/**
 * The repository a command is about: the one asked from, else the one selected in Source Control, else the active
 * editor's, else the only one, else the one picked. With a memory, the one picked last is offered first. `undefined`: the person
 * turned away.
 * @throws TrackerError `input` in Restricted Mode, without any repository, and when `asked` is none.
 */
export async function chooseRepository(
  git: GitBridge,
  asked?: vscode.Uri,
  memory?: vscode.Memento,
): Promise<GitRepository | undefined> {
  const repositories = await openRepositories(git);
  if (asked) return repositoryAt(repositories, asked);
  const likely = likelyRepository(repositories);
  if (likely) return likely;
  const isLast = ({ rootUri }: GitRepository) => rootUri.toString() === memory?.get(PICKED);
  const inOrder = repositories.toSorted((one, other) => Number(isLast(other)) - Number(isLast(one)));
  const picked = await pickRepository(inOrder);
  if (picked) await memory?.update(PICKED, picked.rootUri.toString());
  return picked;
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
  throw new TrackerError(
    'input',
    vscode.l10n.t('Open a folder that contains a Git repository to work with its commits.'),
  );
}

function repositoryAt(repositories: readonly GitRepository[], asked: vscode.Uri): GitRepository {
  const found = repositories.find(({ rootUri }) => isSameFolder(rootUri, asked));
  if (found) return found;
  throw new TrackerError('input', vscode.l10n.t('No open Git repository at {0}.', asked.toString(true)));
}

function ofActiveEditor<T extends GitRepository>(repositories: readonly T[]): T | undefined {
  const file = vscode.window.activeTextEditor?.document.uri;
  return file && repositoryAround(repositories, file);
}

/** The innermost repository around a file or folder. */
export function repositoryAround<T extends GitRepository>(
  repositories: readonly T[],
  { path }: vscode.Uri,
): T | undefined {
  return repositories
    .filter(({ rootUri }) => `${path}/`.startsWith(`${withoutEnd(rootUri.path, '/')}/`))
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

/**
 * The repository that an argument names: `{ repository }` of contract.md with the root as address or path, or the source
 * control that menus of the Source Control view pass.
 * @throws TrackerError `input` for a `repository` that is no text.
 */
export function askedRepository(argument: unknown): { readonly repository?: vscode.Uri } {
  if (!isPlainObject(argument)) return ofSourceControl(argument);
  const { repository } = argument;
  if (repository === undefined) return {};
  if (typeof repository === 'string' && repository !== '') return { repository: uriOf(repository) };
  throw new TrackerError('input', vscode.l10n.t('Pass the repository as its root URI.'));
}

function ofSourceControl(argument: unknown): { readonly repository?: vscode.Uri } {
  if (typeof argument !== 'object' || argument === null || !('rootUri' in argument)) return {};
  return argument.rootUri instanceof vscode.Uri ? { repository: argument.rootUri } : {};
}

function uriOf(text: string): vscode.Uri {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(text) ? vscode.Uri.parse(text) : vscode.Uri.file(text);
}

/** The folder's name, as VS Code calls the repository too. */
export function repositoryName({ rootUri }: Pick<GitRepository, 'rootUri'>): string {
  return rootUri.path.split('/').findLast((part) => part !== '') ?? rootUri.path;
}

/**
 * A folder that is not trusted may configure Git to run programs, so nothing of it is asked.
 * @throws TrackerError `input` in Restricted Mode.
 */
export function requireTrust(): void {
  if (vscode.workspace.isTrusted) return;
  const sentence = vscode.l10n.t('Git is not used in Restricted Mode. Trust this folder to work with its commits.');
  throw new TrackerError('input', sentence);
}
