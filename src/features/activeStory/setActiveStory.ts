import * as vscode from 'vscode';
import type { App } from '../../host/app.ts';
import { askedRepository } from '../../host/git/chooseRepository.ts';
import { isPlainObject } from '../../host/shell/commands.ts';
import { branchArgument } from './branchArgument.ts';
import type { FollowedStories } from './followedStories.ts';
import { workPlace } from './workPlace.ts';

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
  const found = await needs.storyArgument.ofSelection(args[0], vscode.l10n.t('Which story do you work on?'));
  const place = found && (await workPlace(needs, askedRepository(args.find(isPlainObject)).repository));
  if (!place) return;
  await stories.set(place.repository, { ...found.key, storyId: found.story.id }, branch || undefined);
  needs.messages.status(vscode.l10n.t('Story #{0} is the active story.', found.story.id));
}
