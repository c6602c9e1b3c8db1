import * as vscode from 'vscode';
import type { Messages } from '../../host/messages.ts';
import { nameOf } from './nameOf.ts';

/** Asks about files whose editor holds changes that are not on disk. False: the person turned away. */
export async function savedFirst(messages: Messages, uris: readonly vscode.Uri[]): Promise<boolean> {
  const named = new Set(uris.map((uri) => uri.toString()));
  const changed = vscode.workspace.textDocuments.filter(
    ({ isDirty, isUntitled, uri }) => isDirty && !isUntitled && named.has(uri.toString()),
  );
  if (changed.length === 0) return true;
  const names = changed.map(({ uri }) => `“${nameOf(uri)}”`).join(', ');
  const save = vscode.l10n.t('Save and Attach');
  const asSaved = vscode.l10n.t('Attach As Last Saved');
  const question = vscode.l10n.t('Not all changes are saved: {0}.', names);
  const answer = await messages.ask(question, undefined, save, asSaved);
  if (answer === save) await Promise.all(changed.map((document) => document.save()));
  return answer !== undefined;
}
