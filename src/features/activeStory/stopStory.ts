import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import type { App } from '../../host/app.ts';
import { isPlainObject } from '../../host/commands.ts';
import { NamedStory } from '../../host/namedStory.ts';
import { StoryNode } from '../../host/nodes.ts';
import type { FollowedStories } from './followedStories.ts';

/**
 * Stop Story (contract.md): the story that is meant, or else the one shown in the status bar, is no longer worked on, nor
 * when its branch is checked out again. Its state stays. @throws TrackerError `input` when it was not worked on.
 */
export async function stopStory(
  { messages }: Pick<App, 'messages'>,
  stories: FollowedStories,
  ...args: readonly unknown[]
): Promise<void> {
  const wanted = storyIdOf(args[0]);
  const { shown, all } = stories;
  const worked =
    wanted === undefined || shown?.story.storyId === wanted ? shown : all.find(({ story }) => story.storyId === wanted);
  if (!worked) {
    throw new TrackerError(
      'input',
      wanted === undefined
        ? vscode.l10n.t('There is no active story.')
        : vscode.l10n.t('Story #{0} is not an active story.', wanted),
    );
  }
  await stories.set(worked.repository, undefined);
  messages.status(vscode.l10n.t('Story #{0} is no longer the active story.', worked.story.storyId));
}

function storyIdOf(argument: unknown): number | undefined {
  if (argument instanceof StoryNode) return argument.story.id;
  if (argument instanceof NamedStory) return argument.storyId;
  return isPlainObject(argument) && typeof argument.storyId === 'number' ? argument.storyId : undefined;
}
