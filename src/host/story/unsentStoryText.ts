import type { Translating } from './fieldLabels.ts';

/** Says why what takes the number of a story cannot be done with one that no server has yet. */
export function unsentStoryText(vscode: Translating): string {
  return vscode.l10n.t('This story has no ID until it has been sent to the server.');
}
