import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import type { Account } from '../../host/accounts/account.ts';
import type { App } from '../../host/app.ts';
import { isPlainObject } from '../../host/shell/commands.ts';
import { isNamed } from './serverAddress.ts';

type Needs = Pick<App, 'accounts' | 'backlogs' | 'messages'>;

/**
 * Signs out of the account that the argument names (as for signing in), of the only one, or of the one picked. A person is asked
 * what becomes of changes that its server does not have; for a program they stay.
 */
export async function signOut(needs: Needs, argument: unknown): Promise<void> {
  const { accounts, messages } = needs;
  const all = await accounts.list();
  const meant = isPlainObject(argument) ? all.filter((account) => isNamed(account, argument)) : all;
  if (meant.length === 0) throw new TrackerError('input', vscode.l10n.t('You are not signed in.'));
  const account = meant.length === 1 ? meant[0] : await pickAccount(meant);
  if (!account || !(isPlainObject(argument) || (await decideOnUnsent(needs, account)))) return;
  await accounts.remove(account.id);
  messages.status(vscode.l10n.t('Signed out of {0}.', account.label));
}

/** As `signOut` where the person chose the account already. */
export async function signOutOf(needs: Needs, accountId: string): Promise<void> {
  const account = (await needs.accounts.list()).find(({ id }) => id === accountId);
  if (!account || (await decideOnUnsent(needs, account))) await needs.accounts.remove(accountId);
}

async function pickAccount(all: readonly Account[]): Promise<Account | undefined> {
  const items = all.map((account) => ({ label: account.label, account }));
  const placeHolder = vscode.l10n.t('Sign out of which server?');
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.account;
}

/** Whether to sign out. Unsent changes that are kept wait for the next sign-in. */
async function decideOnUnsent(needs: Needs, account: Account): Promise<boolean> {
  const count = (await unsentOf(needs, account)).length;
  if (count === 0) return true;
  const { label } = account;
  const keep = vscode.l10n.t('Keep and Sign Out');
  const discard = vscode.l10n.t('Discard and Sign Out');
  const question =
    count === 1
      ? vscode.l10n.t('1 change has not been sent to {0} yet.', label)
      : vscode.l10n.t('{0} changes have not been sent to {1} yet.', count, label);
  const detail =
    count === 1
      ? vscode.l10n.t('If you keep it, it will be sent when you sign in to {0} again.', label)
      : vscode.l10n.t('If you keep them, they will be sent when you sign in to {0} again.', label);
  const answer = await needs.messages.ask(question, detail, keep, discard);
  if (answer === discard) await discardUnsent(needs, account);
  return answer !== undefined;
}

/** @throws TrackerError `conflict` when a server is getting one of them just now. */
async function discardUnsent(needs: Needs, account: Account): Promise<void> {
  // What builds on a change goes before it.
  for (const { id } of (await unsentOf(needs, account)).toReversed()) await needs.backlogs.discard(id);
  if ((await unsentOf(needs, account)).length === 0) return;
  throw new TrackerError(
    'conflict',
    vscode.l10n.t('A change is being sent and cannot be discarded. Try again in a moment.'),
  );
}

async function unsentOf({ accounts }: Needs, { id }: Account) {
  return (await accounts.outbox.entries()).filter(({ project }) => project.accountId === id);
}
