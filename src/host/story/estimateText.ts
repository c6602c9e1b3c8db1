import * as vscode from 'vscode';
import { type Story, UNESTIMATED } from '../../core/story/story.ts';

export function countedPoints(count: number): string {
  return count === 1 ? vscode.l10n.t('1 point') : vscode.l10n.t('{0} points', count);
}

/** "3 points", "unestimated", or nothing for what is never estimated. */
export function estimateText({ estimate }: Pick<Story, 'estimate'>): string | undefined {
  if (estimate === undefined) return undefined;
  return estimate === UNESTIMATED ? vscode.l10n.t('unestimated') : countedPoints(estimate);
}
