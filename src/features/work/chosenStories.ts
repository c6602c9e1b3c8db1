import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import { isPendingStory } from '../../core/intents/editedStory.ts';
import type { Story } from '../../core/story/story.ts';
import { isPlainObject } from '../../host/shell/commands.ts';
import { keyText, type ProjectKey, StoryNode } from '../../host/tree/nodes.ts';
import { clickedStories } from '../../host/tree/storiesView.ts';
import type { WorkNeeds } from './editsMade.ts';

export interface ChosenStories {
  readonly key: ProjectKey;
  readonly stories: readonly [Story, ...Story[]];
}

type Needs = Pick<WorkNeeds, 'storiesView' | 'storyArgument'>;

/**
 * The stories to change: the rows clicked or selected, the one a program names, or one picked; `undefined`: turned away.
 * @throws TrackerError when they are of several projects, or no server has one of them yet.
 */
export async function chosenStories(
  { storiesView, storyArgument }: Needs,
  [argument, selected]: readonly unknown[],
  placeHolder: string,
): Promise<ChosenStories | undefined> {
  if (argument instanceof StoryNode) return ofRows(clickedStories(argument, selected));
  if (argument === undefined || (isPlainObject(argument) && argument.storyId === undefined)) {
    const rows = storiesView.selection().filter((row) => row instanceof StoryNode);
    if (rows.length > 0) return ofRows(rows);
  }
  const found = await storyArgument.of(argument, placeHolder);
  return found && { key: found.key, stories: [found.story] };
}

function ofRows(rows: readonly StoryNode[]): ChosenStories | undefined {
  const [first, ...others] = rows;
  if (!first) return undefined;
  if (others.some(({ key }) => keyText(key) !== keyText(first.key))) {
    throw new TrackerError('input', vscode.l10n.t('Stories from different projects cannot be changed together.'));
  }
  if (rows.some(({ story }) => isPendingStory(story))) {
    throw new TrackerError(
      'input',
      vscode.l10n.t('This story cannot be changed until it has been sent to the server.'),
    );
  }
  // With labels a story has several rows.
  const byId = new Map(others.map(({ story }) => [story.id, story]));
  byId.delete(first.story.id);
  return { key: first.key, stories: [first.story, ...byId.values()] };
}

/** "Story #12", or how many there are. */
export function nameOfStories([first, ...others]: ChosenStories['stories']): string {
  return others.length === 0 ? vscode.l10n.t('Story #{0}', first.id) : vscode.l10n.t('{0} stories', others.length + 1);
}

/** What a program says besides the story, or after a row. */
export function programArguments(args: readonly unknown[]): Readonly<Record<string, unknown>> {
  return Object.assign({}, ...args.filter(isPlainObject));
}
