import * as vscode from 'vscode';
import type { GitRepository } from '../../host/git/gitBridge.ts';
import { withoutIcons } from '../../host/shell/plainText.ts';
import { type ChangesWish, countChanges } from './switchBranch.ts';

interface ChangesItem extends vscode.QuickPickItem {
  readonly wish: ChangesWish | 'leave';
}

/**
 * What becomes of work that is not committed when `branch` is checked out: `leave` leaves it where it is. Nothing is asked where there
 * is none. `undefined`: the person turned away.
 */
export async function askChanges(
  repository: GitRepository,
  branch: string,
  otherwise: 'worktree' | 'stay',
): Promise<ChangesWish | 'leave' | undefined> {
  const count = countChanges(repository);
  if (count === 0) return 'carry';
  const name = withoutIcons(branch);
  const items: readonly ChangesItem[] = [
    { label: vscode.l10n.t('$(arrow-right) Carry Along to {0}', name), wish: 'carry' },
    {
      label: vscode.l10n.t('$(archive) Stash'),
      description: vscode.l10n.t('Puts them away, new files included'),
      wish: 'stash',
    },
    ...leaving(repository, otherwise),
  ];
  const placeHolder =
    count === 1
      ? vscode.l10n.t('1 file has uncommitted changes. What should happen to them?')
      : vscode.l10n.t('{0} files have uncommitted changes. What should happen to them?', count);
  return (await vscode.window.showQuickPick(items, { placeHolder, ignoreFocusOut: true }))?.wish;
}

function leaving(repository: GitRepository, otherwise: 'worktree' | 'stay'): readonly ChangesItem[] {
  const current = withoutIcons(repository.state.HEAD?.name ?? '');
  if (otherwise === 'stay') {
    return [{ label: vscode.l10n.t('$(check) Stay on {0}', current), wish: 'leave' }];
  }
  if (!repository.createWorktree) return [];
  return [
    {
      label: vscode.l10n.t('$(repo-forked) Leave Here, and Use a Worktree'),
      description: vscode.l10n.t('In a separate folder. Nothing changes here.'),
      wish: 'leave',
    },
  ];
}
