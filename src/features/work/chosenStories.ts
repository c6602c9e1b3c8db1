import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import { isPendingStory } from '../../core/intents/editedStory.ts';
import { type StoriesOfProject, storiesOfOneProject } from '../../host/story/storyArgument.ts';
import type { WorkNeeds } from './editsMade.ts';

/**
 * The stories to change: the rows clicked or selected, the one a program names, or one picked; `undefined`: turned away.
 * @throws TrackerError when they are of several projects, or no server has one of them yet.
 */
export async function chosenStories(
  { storyArgument }: Pick<WorkNeeds, 'storyArgument'>,
  args: readonly unknown[],
  placeHolder: string,
): Promise<StoriesOfProject | undefined> {
  const found = await storyArgument.several(args, placeHolder, { selectionOf: 'anyone' });
  const severalProjects = vscode.l10n.t('Stories from different projects cannot be changed together.');
  const chosen = storiesOfOneProject(found, severalProjects);
  if (!chosen?.stories.some(isPendingStory)) return chosen;
  throw new TrackerError('input', vscode.l10n.t('This story cannot be changed until it has been sent to the server.'));
}

/** "Story #12", or how many there are. */
export function nameOfStories([first, ...others]: StoriesOfProject['stories']): string {
  return others.length === 0 ? vscode.l10n.t('Story #{0}', first.id) : vscode.l10n.t('{0} stories', others.length + 1);
}
