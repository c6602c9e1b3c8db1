import * as vscode from 'vscode';
import { withoutEnd } from '../../core/text.ts';
import type { Account } from '../../host/accounts/account.ts';
import type { App } from '../../host/app.ts';

type Needs = Pick<App, 'accounts' | 'messages'>;

/** Endpoint 7 (api-v3.md), which takes what hosts of repositories post after a push. */
const PATH = '/services/v3/github_commits';

/** Puts the address for a repository's web hook on the clipboard, and nowhere else; with the token only when asked to. */
export async function copyCommitHookAddress({ accounts, messages }: Needs): Promise<void> {
  await accounts.requireAny();
  const account = await pickAccount(await accounts.list());
  if (!account) return;
  const [withToken, without] = [vscode.l10n.t('Copy with Token'), vscode.l10n.t('Copy without Token')];
  const answer = await messages.ask(
    vscode.l10n.t('Copy the commit hook address of {0} with your token?', account.label),
    vscode.l10n.t(
      'The repository’s host posts commits to this address and needs the token in it. Anyone who has the address can do everything that you can on the server, so enter it only in the host’s settings. Then set storyTracker.commit.link to serverHook so that no commit is linked twice.',
    ),
    withToken,
    without,
  );
  if (answer === undefined) return;
  const { baseUrl, token } = await accounts.access(account.id);
  const address = new URL(withoutEnd(baseUrl, '/') + PATH);
  address.search = `token=${answer === withToken ? encodeURIComponent(token) : ''}`;
  await vscode.env.clipboard.writeText(address.href);
  messages.status(
    answer === withToken
      ? vscode.l10n.t('Copied the commit hook address. It contains your token.')
      : vscode.l10n.t('Copied the commit hook address. Append your token to it before you use it.'),
  );
}

async function pickAccount(list: readonly Account[]): Promise<Account | undefined> {
  if (list.length < 2) return list[0];
  const items = list.map((account) => ({ label: account.label, description: account.baseUrl ?? '', account }));
  const placeHolder = vscode.l10n.t('Server to post commits to');
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.account;
}
