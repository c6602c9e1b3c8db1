import type { Translating } from './fieldLabels.ts';

/** The words for choosing between what a person wrote and what someone else has written since, wherever one chooses. */
export function conflictTexts(vscode: Translating) {
  return {
    keepMine: vscode.l10n.t('Keep Mine'),
    takeTheirs: vscode.l10n.t('Take Theirs'),
    compare: vscode.l10n.t('Compare'),
    comparison: (storyId: number) => vscode.l10n.t('Story #{0}: Theirs ↔ Mine', storyId),
  };
}
