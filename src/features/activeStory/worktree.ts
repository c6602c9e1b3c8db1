import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import type { GitRepository, GitWorktree } from '../../host/git/gitBridge.ts';
import { isSameFolder } from '../../host/git/scmInput.ts';
import { worktreeFolderWish } from '../../host/shell/featureSettings.ts';
import { gitWords, knownBranches, localBranches } from './storyBranches.ts';
import { sentenceOf } from './switchOrStash.ts';
import { worktreeFolder } from './worktreeFolder.ts';

/** The folder of a branch's worktree. */
interface PlacedWorktree {
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
    throw new TrackerError('input', vscode.l10n.t('This version of VS Code cannot create worktrees. Update VS Code.'));
  }
  if (!(await holdsSomething(placed.folder))) return placed;
  throw new TrackerError(
    'input',
    vscode.l10n.t(
      'Could not create the worktree because {0} is not empty. Move that folder, or choose another one in the setting "storyTracker.worktreeFolder".',
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
async function holdsSomething(folder: vscode.Uri): Promise<boolean> {
  try {
    return (await vscode.workspace.fs.readDirectory(folder)).length > 0;
  } catch (thrown) {
    return !(thrown instanceof vscode.FileSystemError && thrown.code === 'FileNotFound');
  }
}

function isOpen({ rootUri }: GitRepository, { path }: GitWorktree): boolean {
  return isSameFolder(vscode.Uri.file(path), rootUri);
}

/**
 * Makes the worktree unless it is there, by VS Code's own Git and so with what the person has it do after checkouts, and
 * tells its folder. A branch that is not there is made at `start`, else at what is checked out.
 * @throws TrackerError `input` in Git's words, with what was made all the same and how to go on.
 */
export async function makeWorktree(
  repository: GitRepository,
  branch: string,
  { folder, isThere }: PlacedWorktree,
  start = 'HEAD',
): Promise<vscode.Uri> {
  if (isThere) return folder;
  const isOld = (await knownBranches(repository)).includes(branch);
  const wanted = isOld ? { commitish: branch } : { commitish: start, branch };
  try {
    const made = await repository.createWorktree?.({ path: folder.fsPath, ...wanted });
    return made === undefined ? folder : vscode.Uri.file(made);
  } catch (thrown) {
    const left = await leftBehind(repository, isOld ? undefined : branch, folder);
    const failed = vscode.l10n.t('The worktree of {0} is incomplete. {1}', branch, sentenceOf(gitWords(thrown)));
    throw new TrackerError('input', [failed, ...left].join(' '), { cause: thrown });
  }
}

/** What a failure left; `fresh` is the branch that was not there before. */
async function leftBehind(
  repository: GitRepository,
  fresh: string | undefined,
  folder: vscode.Uri,
): Promise<readonly string[]> {
  const branches = fresh === undefined ? [] : await localBranches(repository).catch(() => []);
  const hasFolder = await holdsSomething(folder);
  return [
    ...(hasFolder
      ? [
          vscode.l10n.t(
            '{0} was left unchanged. Open it, or remove it with "git worktree remove --force".',
            folder.fsPath,
          ),
        ]
      : []),
    ...(fresh !== undefined && branches.includes(fresh)
      ? [vscode.l10n.t('The branch {0} exists. Start the story on it again, or delete it with "git branch -d".', fresh)]
      : []),
  ];
}

type OpenWorktree = 'thisWindow' | 'newWindow' | 'workspace' | 'not';

interface OpenItem extends vscode.QuickPickItem {
  readonly open: OpenWorktree;
}

/** Asks how to show a worktree. `undefined`: the person turned away. */
export async function askOpenWorktree(folder: vscode.Uri): Promise<OpenWorktree | undefined> {
  const items: readonly OpenItem[] = [
    { label: vscode.l10n.t('$(multiple-windows) Open in New Window'), open: 'newWindow' },
    { label: vscode.l10n.t('$(window) Open in This Window'), open: 'thisWindow' },
    { label: vscode.l10n.t('$(folder-library) Add to This Workspace'), open: 'workspace' },
    { label: vscode.l10n.t('$(circle-slash) Do Not Open'), open: 'not' },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: folder.fsPath,
    placeHolder: vscode.l10n.t('How would you like to open the worktree?'),
  });
  return picked?.open;
}

export async function openWorktree(folder: vscode.Uri, open: OpenWorktree): Promise<void> {
  if (open === 'workspace') {
    const count = vscode.workspace.workspaceFolders?.length ?? 0;
    vscode.workspace.updateWorkspaceFolders(count, 0, { uri: folder });
  } else if (open !== 'not') {
    const where = open === 'newWindow' ? { forceNewWindow: true } : { forceReuseWindow: true };
    await vscode.commands.executeCommand('vscode.openFolder', folder, where);
  }
}

/** A worktree to work in, and how to show it; without `open`, it is only made. */
export interface WantedWorktree extends PlacedWorktree {
  readonly open?: OpenWorktree;
}
