import * as vscode from 'vscode';
import { withoutIcons } from '../../host/plainText.ts';
import { nameOf } from './candidate.ts';
import { activeFile } from './openFiles.ts';

/** Asks which files to attach: the active editor's or others. Empty when the person turned away. */
export async function chooseFiles(): Promise<readonly vscode.Uri[]> {
  const active = activeFile();
  if (!active) return browse();
  const items = [
    {
      label: `$(file) ${withoutIcons(nameOf(active))}`,
      description: vscode.l10n.t('the active editor'),
      browses: false,
    },
    { label: `$(folder-opened) ${vscode.l10n.t('Choose Files…')}`, browses: true },
  ];
  const placeHolder = vscode.l10n.t('What to attach');
  const chosen = await vscode.window.showQuickPick(items, { placeHolder });
  if (!chosen) return [];
  return chosen.browses ? browse() : [active];
}

export async function browse(): Promise<readonly vscode.Uri[]> {
  const chosen = await vscode.window.showOpenDialog({
    canSelectMany: true,
    openLabel: vscode.l10n.t('Attach'),
    title: vscode.l10n.t('Attach Files'),
  });
  return chosen ?? [];
}

/** Lets a person tick which of the open editors' files to attach; all are ticked at first. */
export async function chooseAmong(uris: readonly vscode.Uri[]): Promise<readonly vscode.Uri[]> {
  const items = uris.map((uri) => ({
    label: withoutIcons(nameOf(uri)),
    description: withoutIcons(vscode.workspace.asRelativePath(uri)),
    picked: true,
    uri,
  }));
  const placeHolder = vscode.l10n.t('Open editors to attach');
  const chosen = await vscode.window.showQuickPick(items, { placeHolder, canPickMany: true });
  return (chosen ?? []).map(({ uri }) => uri);
}
