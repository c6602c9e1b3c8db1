import * as vscode from 'vscode';
import { commandIds } from '../../../commandIds.ts';
import type { ShownCommit } from '../../../core/outbox/withUnsentIntents.ts';
import type { DetailNode } from '../../../host/tree/nodes.ts';

const HASH = 8;
const icons = { waiting: 'clock', sending: 'sync', linked: 'git-commit', failed: 'error' } as const;

/** The row of a commit: its id, its subject and whether the server has it. One that it does not have leads to what can be done. */
export function commitItem(
  node: DetailNode,
  commit: ShownCommit,
  summary: string,
  author: string | undefined,
): vscode.TreeItem {
  const { state, hash, problem, url, entryId } = commit;
  const item = new vscode.TreeItem([hash?.slice(0, HASH), summary].filter((part) => part).join(' '));
  const word = stateWord(state);
  item.iconPath = new vscode.ThemeIcon(
    icons[state],
    state === 'failed' ? new vscode.ThemeColor('errorForeground') : undefined,
  );
  item.description = [word, problem, author].filter((part) => part).join(' · ');
  item.contextValue = url === undefined ? `commit.${state}` : `commit.${state}.link`;
  const spoken = [vscode.l10n.t('Commit'), word, problem, author, hash?.slice(0, HASH), summary];
  item.accessibilityInformation = { label: spoken.filter((part) => part).join(', ') };
  if (entryId !== undefined) {
    const title = vscode.l10n.t('Show Unsent Changes…');
    item.command = { command: commandIds.showOutbox, title, arguments: [{ entryId }] };
  } else if (url !== undefined) {
    const title = vscode.l10n.t('Open in Browser');
    item.command = { command: commandIds.openInBrowser, title, arguments: [node] };
  }
  return item;
}

function stateWord(state: ShownCommit['state']): string {
  const words = {
    waiting: vscode.l10n.t('waiting'),
    sending: vscode.l10n.t('sending'),
    linked: vscode.l10n.t('linked'),
    failed: vscode.l10n.t('failed'),
  };
  return words[state];
}
