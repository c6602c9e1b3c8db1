import * as vscode from 'vscode';
import type { Account } from '../../../host/accounts/account.ts';
import type { App } from '../../../host/app.ts';

type ProjectNeeds = Pick<App, 'accounts' | 'backlogs' | 'messages'>;

/** Asks for a name and creates a project that the person owns (api-v3.md, Endpoints, rule 3). */
export async function newProject({ accounts, backlogs, messages }: ProjectNeeds): Promise<void> {
  await accounts.requireAny();
  const account = await pickAccount(await accounts.list());
  const name = account && (await askProjectName(account));
  if (!name) return;
  await accounts.tracker(account.id).createProject({ name: name.trim() });
  await backlogs.refresh();
  messages.status(vscode.l10n.t('Created project {0}.', name.trim()));
}

async function pickAccount(all: readonly Account[]): Promise<Account | undefined> {
  if (all.length === 1) return all[0];
  const items = all.map((account) => ({ label: account.label, account }));
  const placeHolder = vscode.l10n.t('Where do you want to create the project?');
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.account;
}

function askProjectName({ label }: Account): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: vscode.l10n.t('New Project on {0}', label),
    prompt: vscode.l10n.t('Project name'),
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('Enter a project name.') : undefined),
  });
}
