import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import { isPlainObject } from '../../host/shell/commands.ts';
import { isSameProject, type ProjectKey, StoryNode } from '../../host/tree/nodes.ts';
import { clickedStories } from '../../host/tree/storiesView.ts';
import type { MoveNeeds } from './moveStories.ts';

interface ChosenStories {
  readonly key: ProjectKey;
  readonly storyIds: readonly number[];
}

/** What the keys of the view pass, so that they are told from the palette. */
const BY_KEY = 'selection';
const PATIENCE_MS = 3000;
const LOOK_MS = 20;

/** The stories to move: the rows clicked or selected, the one a program names, or one picked; `undefined`: turned away. */
export async function chosenStories(
  { storyArgument, storiesView }: MoveNeeds,
  argument: unknown,
  selected: unknown,
): Promise<ChosenStories | undefined> {
  if (argument instanceof StoryNode) return ofRows(clickedStories(argument, selected));
  if (!isPlainObject(argument)) {
    const rows = await selectedRows(storiesView, argument === BY_KEY ? PATIENCE_MS : 0);
    if (rows.length > 0) return ofRows(rows);
  }
  const found = await storyArgument.of(argument === BY_KEY ? undefined : argument, vscode.l10n.t('Story to move'));
  return found && { key: found.key, storyIds: [found.story.id] };
}

/** VS Code tells of no selected rows while it asks for those of the tree again, as it does after every move. */
async function selectedRows(storiesView: MoveNeeds['storiesView'], patience: number): Promise<readonly StoryNode[]> {
  for (let waited = 0; ; waited += LOOK_MS) {
    const rows = storiesView.selection().filter((row) => row instanceof StoryNode);
    if (rows.length > 0 || waited >= patience) return rows;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** @throws TrackerError when the rows are of several projects. */
export function ofRows(rows: readonly StoryNode[]): ChosenStories | undefined {
  const [first] = rows;
  if (!first) return undefined;
  if (rows.some(({ key }) => !isSameProject(key, first.key))) {
    throw new TrackerError('input', vscode.l10n.t('Stories from different projects cannot be moved together.'));
  }
  return { key: first.key, storyIds: rows.map(({ story }) => story.id) };
}
