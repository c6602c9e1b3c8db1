import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import { isPlainObject } from '../../host/commands.ts';
import { type ProjectKey, StoryNode } from '../../host/nodes.ts';
import { clickedStories } from '../../host/storiesView.ts';
import type { MoveNeeds } from './moveStories.ts';

export interface ChosenStories {
  readonly key: ProjectKey;
  readonly storyIds: readonly number[];
}

/** The stories to move: the rows clicked or selected, the one a program names, or one picked; `undefined`: turned away. */
export async function chosenStories(
  { storyArgument, storiesView }: MoveNeeds,
  argument: unknown,
  selected: unknown,
): Promise<ChosenStories | undefined> {
  if (argument instanceof StoryNode) return ofRows(clickedStories(argument, selected));
  if (!isPlainObject(argument)) {
    const rows = storiesView.selection().filter((row) => row instanceof StoryNode);
    if (rows.length > 0) return ofRows(rows);
  }
  const found = await storyArgument.of(argument, vscode.l10n.t('Story to move'));
  return found && { key: found.key, storyIds: [found.story.id] };
}

/** @throws TrackerError when the rows are of several projects. */
export function ofRows(rows: readonly StoryNode[]): ChosenStories | undefined {
  const [first] = rows;
  if (!first) return undefined;
  if (rows.some(({ key }) => !isSameProject(key, first.key))) {
    throw new TrackerError('input', vscode.l10n.t('Stories of several projects cannot be moved together.'));
  }
  return { key: first.key, storyIds: rows.map(({ story }) => story.id) };
}

export function isSameProject(one: ProjectKey, other: ProjectKey): boolean {
  return one.accountId === other.accountId && one.projectId === other.projectId;
}
