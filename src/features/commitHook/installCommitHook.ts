import * as vscode from 'vscode';
import type { App } from '../../host/app.ts';
import { askedRepository, chooseRepository, repositoryName, requireTrust } from '../../host/git/chooseRepository.ts';
import { commitVerb } from '../../host/shell/settings.ts';

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
