import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import type { Account } from '../../host/accounts/account.ts';
import type { App } from '../../host/app.ts';
import { isPlainObject } from '../../host/shell/commands.ts';
import { isNamed } from './serverAddress.ts';

type Needs = Pick<App, 'accounts' | 'messages'>;

/** Signs out of the account that the argument names (as for signing in), of the only one, or of the one picked. */
export async function signOut({ accounts, messages }: Needs, argument: unknown): Promise<void> {
  const all = await accounts.list();
  const meant = isPlainObject(argument) ? all.filter((account) => isNamed(account, argument)) : all;
  if (meant.length === 0) throw new TrackerError('input', vscode.l10n.t('You are not signed in.'));
  const account = meant.length === 1 ? meant[0] : await pickAccount(meant);
  if (!account) return;
  await accounts.remove(account.id);
  messages.status(vscode.l10n.t('Signed out of {0}.', account.label));
}

async function pickAccount(all: readonly Account[]): Promise<Account | undefined> {
  const items = all.map((account) => ({ label: account.label, account }));
  const placeHolder = vscode.l10n.t('Sign out of which server?');
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.account;
}
