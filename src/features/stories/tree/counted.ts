import * as vscode from 'vscode';

export function countedStories(count: number): string {
  return count === 1 ? vscode.l10n.t('1 story') : vscode.l10n.t('{0} stories', count);
}

export function countedIterations(count: number): string {
  return count === 1 ? vscode.l10n.t('1 iteration') : vscode.l10n.t('{0} iterations', count);
}

/** How many a filter leaves, as in "3 of 12". */
export function countedOf(shown: number, total: number): string {
  return vscode.l10n.t('{0} of {1}', shown, total);
}
