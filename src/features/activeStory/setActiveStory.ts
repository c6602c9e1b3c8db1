import * as vscode from 'vscode';
import type { App } from '../../host/app.ts';
import { askedRepository, chooseRepository } from '../../host/git/chooseRepository.ts';
import type { GitRepository } from '../../host/git/gitBridge.ts';
import { isPlainObject } from '../../host/shell/commands.ts';
import { branchArgument } from './branchArgument.ts';
import type { FollowedStories } from './followedStories.ts';

type Needs = Pick<App, 'git' | 'messages' | 'storyArgument'>;

/**
 * Set Active Story (contract.md): the story is worked on from now on, in the branch that is checked out. With `branch` it
 * is bound to that one, to be worked on whenever it is checked out.
 */
export async function setActiveStory(
  needs: Needs,
  stories: FollowedStories,
  ...args: readonly unknown[]
): Promise<void> {
  const branch = branchArgument(args);
  const found = await needs.storyArgument.ofSelection(args[0], vscode.l10n.t('Which story are you working on?'));
  const place = found && (await workPlace(needs, askedRepository(args.find(isPlainObject)).repository));
  if (!place) return;
  await stories.set(place.repository, { ...found.key, storyId: found.story.id }, branch || undefined);
  needs.messages.status(vscode.l10n.t('Story #{0} is now the active story.', found.story.id));
}

/** Where a story is to be worked on; without a repository, in the folder that is open. */
interface WorkPlace {
  readonly repository?: GitRepository;
}

/** The place that a command is about. `undefined`: the person turned away. @throws TrackerError when `asked` is none. */
export async function workPlace({ git }: Pick<App, 'git'>, asked?: vscode.Uri): Promise<WorkPlace | undefined> {
  const hasGit = vscode.workspace.isTrusted && (await git.repositories()).length > 0;
  if (!hasGit && !asked) return {};
  const repository = await chooseRepository(git, asked);
  return repository && { repository };
}
