import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import type { MoveRefusal } from './movePlan.ts';

/** The error that tells a person why a story stays where it is. */
export function refusalError({ because, storyId }: MoveRefusal): TrackerError {
  switch (because) {
    case 'done':
      return new TrackerError('input', vscode.l10n.t('Story #{0} is done; done stories are not moved.', storyId));
    case 'doneTarget':
      return new TrackerError(
        'input',
        vscode.l10n.t('Story #{0} is done; nothing can be put before or after it.', storyId),
      );
    case 'inProgress':
      return new TrackerError(
        'input',
        vscode.l10n.t('Story #{0} has been begun; only stories that are not started go to the icebox.', storyId),
      );
    case 'unsent':
      return new TrackerError(
        'input',
        vscode.l10n.t('A story that its server does not have yet can neither be moved nor have others put next to it.'),
      );
    case 'unknown':
      return new TrackerError('notFound', vscode.l10n.t('Story #{0} was not found in this project.', storyId));
  }
}
