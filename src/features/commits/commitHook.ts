import * as vscode from 'vscode';
import { withoutEnd } from '../../core/text.ts';
import type { Account } from '../../host/accounts/account.ts';
import type { App } from '../../host/app.ts';
import { askedRepository, chooseRepository, repositoryName, requireTrust } from '../../host/git/chooseRepository.ts';
import { commitVerb } from '../../host/shell/featureSettings.ts';

type Needs = Pick<App, 'engine' | 'git' | 'messages'>;

/** Puts the hook into a repository; asks first where its folder of hooks is not its own. */
export async function installCommitHook({ engine, git, messages }: Needs, argument?: unknown): Promise<void> {
  requireTrust();
  const repository = await chooseRepository(git, askedRepository(argument).repository);
  if (!repository) return;
  const root = repository.rootUri.fsPath;
  const { file, isOwn } = await engine.commitHooks.place(root);
  if (!isOwn) {
    const install = vscode.l10n.t('Install');
    const question = vscode.l10n.t('Install the hook outside the repository?');
    const detail = vscode.l10n.t(
      'Git is configured to use hooks from another folder, perhaps for other repositories too: {0}',
      file,
    );
    if ((await messages.ask(question, detail, install)) !== install) return;
  }
  await engine.commitHooks.install(root, commitVerb(repository.rootUri));
  const name = repositoryName(repository);
  messages.status(
    vscode.l10n.t('From now on, commits in {0} mention the story of their branch, even outside VS Code.', name),
  );
}

/** Takes the hook away again; the one that was there before is back in its place. */
export async function removeCommitHook({ engine, git, messages }: Needs, argument?: unknown): Promise<void> {
  requireTrust();
  const repository = await chooseRepository(git, askedRepository(argument).repository);
  if (!repository) return;
  const isRemoved = await engine.commitHooks.remove(repository.rootUri.fsPath);
  const name = repositoryName(repository);
  messages.status(
    isRemoved
      ? vscode.l10n.t('Removed the commit hook from {0}.', name)
      : vscode.l10n.t('{0} has no Story Tracker commit hook.', name),
  );
}

type AddressNeeds = Pick<App, 'accounts' | 'messages'>;

/** Endpoint 7 (api-v3.md), which takes what hosts of repositories post after a push. */
const PATH = '/services/v3/github_commits';

/** Puts the address for a repository's web hook on the clipboard, and nowhere else; with the token only when asked to. */
export async function copyCommitHookAddress({ accounts, messages }: AddressNeeds): Promise<void> {
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
