import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import type { GitRepository, GitWorktree } from '../../host/git/gitBridge.ts';
import { isSameFolder } from '../../host/git/scmInput.ts';
import { worktreeFolderWish } from '../../host/shell/settings.ts';
import { worktreeFolder } from './worktreeFolder.ts';

/** The folder of a branch's worktree. */
export interface PlacedWorktree {
  readonly folder: vscode.Uri;
  /** The branch is checked out there already. */
  readonly isThere: boolean;
}

/**
 * The worktree that has the branch, or the free folder for one.
 * @throws TrackerError `input` where the folder holds something, or this VS Code makes no worktrees.
 */
export async function placedWorktree(repository: GitRepository, branch: string): Promise<PlacedWorktree> {
  const placed = await likelyWorktree(repository, branch);
  if (placed.isThere) return placed;
  if (!repository.createWorktree) {
    throw new TrackerError('input', vscode.l10n.t('This version of VS Code makes no worktrees. Update it.'));
  }
  if (!(await holdsSomething(placed.folder))) return placed;
  throw new TrackerError(
    'input',
    vscode.l10n.t(
      'No worktree was made: {0} is not empty. Move it away, or name another folder in the setting "storyTracker.worktreeFolder".',
      placed.folder.fsPath,
    ),
  );
}

/** As `placedWorktree`, whatever the folder holds. */
export async function likelyWorktree(repository: GitRepository, branch: string): Promise<PlacedWorktree> {
  const worktrees = repository.state.worktrees ?? [];
  const existing = worktrees.find((one) => one.ref === `refs/heads/${branch}` && !isOpen(repository, one));
  if (existing && (await holdsSomething(vscode.Uri.file(existing.path)))) {
    return { folder: vscode.Uri.file(existing.path), isThere: true };
  }
  const root = worktrees.find(({ main }) => main === true)?.path ?? repository.rootUri.fsPath;
  const wished = worktreeFolderWish(repository.rootUri);
  return { folder: vscode.Uri.file(worktreeFolder({ root, branch, wished, home: homedir() })), isThere: false };
}

/** Whether there is anything at that address; an empty folder is nothing. */
export async function holdsSomething(folder: vscode.Uri): Promise<boolean> {
  try {
    return (await vscode.workspace.fs.readDirectory(folder)).length > 0;
  } catch (thrown) {
    return !(thrown instanceof vscode.FileSystemError && thrown.code === 'FileNotFound');
  }
}

function isOpen({ rootUri }: GitRepository, { path }: GitWorktree): boolean {
  return isSameFolder(vscode.Uri.file(path), rootUri);
}
