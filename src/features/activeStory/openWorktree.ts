import * as vscode from 'vscode';
import type { PlacedWorktree } from './placedWorktree.ts';

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

/** Where a story is to be worked on. */
export interface WorkBranch {
  /** `CURRENT_BRANCH` for the one that is checked out. */
  readonly branch: string;
  /** The folder that the branch is to be checked out in, when it is not the one that is open. */
  readonly worktree?: WantedWorktree;
}
