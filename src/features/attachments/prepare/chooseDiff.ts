import * as vscode from 'vscode';
import { TrackerError } from '../../../core/errors.ts';
import type { PatchOf } from '../../../core/ports/outgoingFiles.ts';
import type { App } from '../../../host/app.ts';
import { askedRepository, chooseRepository, repositoryName } from '../../../host/git/chooseRepository.ts';
import type { GitRepository } from '../../../host/git/gitBridge.ts';
import type { Ready } from './candidate.ts';
import { patchName } from './newNames.ts';

type Needs = Pick<App, 'git' | 'engine'>;

/** A repository's changes as a patch: those that `wish` names, or that the person chooses. Empty when they turned away. */
export async function chooseDiff(needs: Needs, argument: unknown, wish?: PatchOf): Promise<readonly Ready[]> {
  const repository = await chooseRepository(needs.git, askedRepository(argument).repository);
  const of = repository && (wish ?? (await chooseWhat()));
  return repository && of ? [await patchOf(needs, repository, of)] : [];
}

async function chooseWhat(): Promise<PatchOf | undefined> {
  const items: readonly (vscode.QuickPickItem & { readonly of: PatchOf })[] = [
    { label: vscode.l10n.t('All Changes'), description: vscode.l10n.t('since the last commit'), of: 'all' },
    { label: vscode.l10n.t('Staged Changes'), of: 'staged' },
    { label: vscode.l10n.t('Unstaged Changes'), of: 'unstaged' },
  ];
  const placeHolder = vscode.l10n.t('Attach which changes? Untracked files are not included.');
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.of;
}

/** @throws TrackerError `input` when there are no such changes. */
async function patchOf({ engine }: Needs, repository: GitRepository, of: PatchOf): Promise<Ready> {
  const { path, size } = await engine.patches.patch(repository.rootUri.fsPath, of);
  const discard = () => engine.patches.discard(path);
  if (size === 0) {
    await discard();
    throw new TrackerError('input', vscode.l10n.t('No such changes in tracked files.'));
  }
  const filename = patchName(repositoryName(repository), repository.state.HEAD?.name, of);
  return { kind: 'ready', filename, size, open: async () => ({ kind: 'file', path, filename }), discard };
}
