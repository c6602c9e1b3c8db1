import * as vscode from 'vscode';
import { commandIds } from '../../../commandIds.ts';
import type { DoneSearchNode } from '../../../host/tree/nodes.ts';

/** The row that says that done iterations are not searched, and has them searched. */
export function doneSearchItem(node: DoneSearchNode): vscode.TreeItem {
  const { progress } = node;
  const item = new vscode.TreeItem(labelOf(node));
  item.contextValue = `search.${progress.state}`;
  item.iconPath = new vscode.ThemeIcon(progress.state === 'searching' ? 'loading~spin' : 'search');
  if (progress.state === 'failed') item.tooltip = progress.problem;
  const problem = progress.state === 'failed' ? [progress.problem] : [];
  if (progress.state !== 'searching') {
    const title = vscode.l10n.t('Search Done Iterations');
    item.description = progress.state === 'failed' ? vscode.l10n.t('Search Again') : vscode.l10n.t('Search Them');
    item.command = { command: commandIds.searchDone, title, arguments: [node] };
  }
  item.accessibilityInformation = { label: [labelOf(node), ...problem, item.description].filter(Boolean).join(', ') };
  return item;
}

function labelOf({ progress }: DoneSearchNode): string {
  if (progress.state === 'searching') return vscode.l10n.t('Searching done iterations…');
  return progress.state === 'failed'
    ? vscode.l10n.t('Done iterations could not be searched')
    : vscode.l10n.t('Done iterations not loaded are not searched');
}
