import * as vscode from 'vscode';
import type { ActiveStory } from '../../core/activeStory/storyBinding.ts';
import { TrackerError } from '../../core/errors.ts';
import type { App } from '../../host/app.ts';
import { isPlainObject } from '../../host/shell/commands.ts';
import { NamedStory, StoryNode } from '../../host/tree/nodes.ts';
import type { FollowedStories, WorkedStory } from './followedStories.ts';

/**
 * Stop Story (contract.md): the story that is meant, or else the one shown in the status bar, is no longer worked on, nor
 * when its branch is checked out again. Its state stays. @throws TrackerError `input` when it was not worked on.
 */
export async function stopStory(
  { messages }: Pick<App, 'messages'>,
  stories: FollowedStories,
  ...args: readonly unknown[]
): Promise<void> {
  const wanted = storyOf(args[0]);
  const { shown, all } = stories;
  const isWanted = ({ story }: WorkedStory) =>
    story.storyId === wanted?.storyId &&
    (wanted.projectId === undefined || story.projectId === wanted.projectId) &&
    (wanted.accountId === undefined || story.accountId === wanted.accountId);
  const worked = wanted === undefined || (shown && isWanted(shown)) ? shown : all.find(isWanted);
  if (!worked) {
    throw new TrackerError(
      'input',
      wanted === undefined
        ? vscode.l10n.t('There is no active story.')
        : vscode.l10n.t('Story #{0} is not an active story.', wanted.storyId),
    );
  }
  await stories.set(worked.repository, undefined);
  messages.status(vscode.l10n.t('Story #{0} is no longer the active story.', worked.story.storyId));
}

/** Ids are unique on a server only; a row knows its account. */
function storyOf(argument: unknown): (Pick<ActiveStory, 'storyId'> & Partial<ActiveStory>) | undefined {
  if (argument instanceof StoryNode) return { ...argument.key, storyId: argument.story.id };
  if (argument instanceof NamedStory) return { ...argument.key, storyId: argument.storyId };
  if (!isPlainObject(argument) || typeof argument.storyId !== 'number') return undefined;
  const { storyId, projectId } = argument;
  return { storyId, ...(typeof projectId === 'number' && { projectId }) };
}
