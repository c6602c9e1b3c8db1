import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { App } from '../../host/app.ts';
import { STORY_ROWS } from '../../host/treeDrops.ts';
import type { Direction } from './spots.ts';

type Needs = Pick<App, 'commands' | 'backlogs' | 'messages' | 'storyArgument' | 'storiesView' | 'drops' | 'log'>;

/** Putting stories in order: by dragging, by keys, and by name. */
export function register(app: Needs): vscode.Disposable {
  const { commands, drops } = app;
  drops.register({
    mimeTypes: [STORY_ROWS],
    drop: async (target) => (await import('./storyDrops.ts')).dropStories(app, drops.draggedStories, target),
  });
  const move = (direction: Direction) => async (story: unknown, rows: unknown) =>
    (await import('./moveByKeys.ts')).moveByKeys(app, direction, story, rows);
  return vscode.Disposable.from(
    commands.command(commandIds.moveStory, async (story, rows) =>
      (await import('./moveStory.ts')).moveStory(app, story, rows),
    ),
    commands.command(commandIds.moveStoryUp, move('up')),
    commands.command(commandIds.moveStoryDown, move('down')),
    commands.command(commandIds.moveStoryToTop, move('top')),
    commands.command(commandIds.moveStoryToBottom, move('bottom')),
  );
}
