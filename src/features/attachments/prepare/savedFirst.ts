import * as vscode from 'vscode';
import { TrackerError } from '../../../core/errors.ts';
import type { Messages } from '../../../host/shell/messages.ts';
import { nameOf } from './nameOf.ts';

/**
 * Asks about files whose editor holds changes that are not on disk. False: the person turned away.
 * @throws TrackerError `input` when one cannot be saved.
 */
export async function savedFirst(messages: Messages, uris: readonly vscode.Uri[]): Promise<boolean> {
  const named = new Set(uris.map((uri) => uri.toString()));
  const changed = vscode.workspace.textDocuments.filter(
    ({ isDirty, isUntitled, uri }) => isDirty && !isUntitled && named.has(uri.toString()),
  );
  if (changed.length === 0) return true;
  const save = vscode.l10n.t('Save and Attach');
  const asSaved = vscode.l10n.t('Attach As Last Saved');
  const question = vscode.l10n.t('Not all changes are saved: {0}.', namesOf(changed));
  const answer = await messages.ask(question, undefined, save, asSaved);
  if (answer === save) await saved(changed);
  return answer !== undefined;
}

async function saved(documents: readonly vscode.TextDocument[]): Promise<void> {
  const areSaved = await Promise.all(documents.map((document) => document.save()));
  const unsaved = documents.filter((_, index) => !areSaved[index]);
  if (unsaved.length === 0) return;
  throw new TrackerError(
    'input',
    vscode.l10n.t('Nothing was attached, since VS Code could not save {0}.', namesOf(unsaved)),
  );
}

function namesOf(documents: readonly vscode.TextDocument[]): string {
  return documents.map(({ uri }) => `“${nameOf(uri)}”`).join(', ');
}
