import * as vscode from 'vscode';
import { type Story, UNESTIMATED } from '../../../core/story/story.ts';
import { estimateText } from '../../../host/story/estimatedEdit.ts';

/** As `estimateText`, for where there is little room. */
export function shortEstimate(story: Story): string | undefined {
  const { estimate } = story;
  if (estimate === undefined || estimate === UNESTIMATED) return estimateText(story);
  return estimate === 1 ? vscode.l10n.t('1 pt') : vscode.l10n.t('{0} pts', estimate);
}
