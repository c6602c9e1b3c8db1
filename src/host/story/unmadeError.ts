import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';

/** Says that nothing is taken back of what waited for its server and was refused or discarded there. Without numbers for what has none. */
export function unmadeError(storyIds: readonly number[] = []): TrackerError {
  const [first, ...others] = storyIds.filter((id) => id > 0);
  if (first === undefined) {
    return new TrackerError('input', vscode.l10n.t('There is nothing to undo because the change was never made.'));
  }
  const ids = [first, ...others].map((id) => `#${id}`).join(', ');
  return new TrackerError(
    'input',
    others.length === 0
      ? vscode.l10n.t('There is nothing to undo for story {0} because the change was never made.', ids)
      : vscode.l10n.t('There is nothing to undo for these stories because they were never changed: {0}', ids),
  );
}
