import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { CommitHint, HintFix } from '../../core/marker/commitHints.ts';
import { rangeIn, workspaceEdit } from '../../host/git/commitDocument.ts';

/** The quick fixes of a hint; those of `diagnostics` that are about it are marked as mended. */
export function quickFixesOf(
  hint: CommitHint,
  document: vscode.TextDocument,
  diagnostics: readonly vscode.Diagnostic[],
): vscode.CodeAction[] {
  const range = rangeIn(document, hint.range);
  const mended = diagnostics.filter(({ code, range: shown }) => code === hint.kind && shown.isEqual(range));
  const actions = hint.fixes.map((fix, index) => {
    const action = new vscode.CodeAction(titleOf(fix, hint), vscode.CodeActionKind.QuickFix);
    action.edit = workspaceEdit(document, fix.edits);
    // Taking a story away is not always what is meant.
    action.isPreferred = index === 0 && (fix.kind !== 'remove' || hint.kind === 'duplicate');
    action.diagnostics = mended;
    return action;
  });
  const isReplaceable = hint.kind === 'unknownStory' || hint.kind === 'acceptedStory';
  return isReplaceable ? [...actions, replacing(hint, document, mended)] : actions;
}

function replacing(
  { storyIds }: CommitHint,
  document: vscode.TextDocument,
  mended: vscode.Diagnostic[],
): vscode.CodeAction {
  const title = vscode.l10n.t('Name Another Story…');
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.command = { command: commandIds.replaceMarkedStory, title, arguments: [document.uri, storyIds[0]] };
  action.diagnostics = mended;
  return action;
}

function titleOf({ kind, edits }: HintFix, { storyIds }: CommitHint): string {
  const written = edits.map(({ text }) => text.trim()).join('');
  switch (kind) {
    case 'bracket':
      return vscode.l10n.t('Write {0}', `${/^\[/.test(written) ? '' : '['}${written}${/\]$/.test(written) ? '' : ']'}`);
    case 'add':
      return vscode.l10n.t('Add {0}', written);
    case 'moveToEnd':
      return vscode.l10n.t('Move to the End of the Line as a Marker');
    case 'remove':
      return vscode.l10n.t('Remove #{0}', storyIds[0] ?? 0);
  }
}
