import * as vscode from 'vscode';
import { type Account, BUILT_IN_ID } from '../../host/accounts/accounts.ts';

export function builtInAccount(): Account {
  return { id: BUILT_IN_ID, label: vscode.l10n.t('Built-in Service'), kind: 'builtIn' };
}
