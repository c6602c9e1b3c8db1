import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import type { Account } from '../../host/accounts.ts';
import type { App } from '../../host/app.ts';

type Needs = Pick<App, 'accounts' | 'messages'>;

/** Signs out of the only account, or of the one picked. */
export async function signOut({ accounts, messages }: Needs): Promise<void> {
  const all = await accounts.list();
  if (all.length === 0) throw new TrackerError('input', vscode.l10n.t('Nobody is signed in.'));
  const account = all.length === 1 ? all[0] : await pickAccount(all);
  if (!account) return;
  await accounts.remove(account.id);
  messages.status(vscode.l10n.t('Signed out of {0}.', account.label));
}

async function pickAccount(all: readonly Account[]): Promise<Account | undefined> {
  const items = all.map((account) => ({ label: account.label, account }));
  const placeHolder = vscode.l10n.t('Sign out of which server?');
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.account;
}
