import * as vscode from 'vscode';
import type { App } from '../../host/app.ts';
import { chooseRepository } from '../../host/git/chooseRepository.ts';
import type { GitRepository } from '../../host/git/gitBridge.ts';

/** Where a story is to be worked on; without a repository, in the folder that is open. */
interface WorkPlace {
  readonly repository?: GitRepository;
}

/** The place that a command is about. `undefined`: the person turned away. @throws TrackerError when `asked` is none. */
export async function workPlace(
  { git, workspaceMemory }: Pick<App, 'git' | 'workspaceMemory'>,
  asked?: vscode.Uri,
): Promise<WorkPlace | undefined> {
  const hasGit = vscode.workspace.isTrusted && (await git.repositories()).length > 0;
  if (!hasGit && !asked) return {};
  const repository = await chooseRepository(git, asked, workspaceMemory);
  return repository && { repository };
}
