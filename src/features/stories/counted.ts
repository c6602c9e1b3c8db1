import * as vscode from 'vscode';

export function countedPoints(count: number): string {
  return count === 1 ? vscode.l10n.t('1 point') : vscode.l10n.t('{0} points', count);
}

export function countedStories(count: number): string {
  return count === 1 ? vscode.l10n.t('1 story') : vscode.l10n.t('{0} stories', count);
}

export function countedIterations(count: number): string {
  return count === 1 ? vscode.l10n.t('1 iteration') : vscode.l10n.t('{0} iterations', count);
}
