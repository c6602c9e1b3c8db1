import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { MovePlace } from '../../core/tracker.ts';
import type { App } from '../../host/app.ts';
import { STORY_ROWS } from '../../host/treeDrops.ts';
import { MoveHistory } from './moveHistory.ts';
import type { Direction } from './spots.ts';

type Needs = Pick<App, 'commands' | 'backlogs' | 'messages' | 'storyArgument' | 'storiesView' | 'drops' | 'log'>;

/** Putting stories in order: by dragging, by keys, and by name. */
export function register(app: Needs): vscode.Disposable {
  const { commands, drops } = app;
  const needs = { ...app, history: new MoveHistory() };
  drops.register({
    mimeTypes: [STORY_ROWS],
    drop: async (target) => (await import('./storyDrops.ts')).dropStories(needs, drops.draggedStories, target),
  });
  const move = (direction: Direction) => async (story: unknown, rows: unknown) =>
    (await import('./moveByKeys.ts')).moveByKeys(needs, direction, story, rows);
  const moveNextTo = (place: MovePlace) => async (story: unknown, rows: unknown) =>
    (await import('./moveStory.ts')).moveStory(needs, place, story, rows);
  return vscode.Disposable.from(
    commands.command(commandIds.moveStory, moveNextTo('before')),
    commands.command(commandIds.moveStoryBefore, moveNextTo('before')),
    commands.command(commandIds.moveStoryAfter, moveNextTo('after')),
    commands.command(commandIds.undoMove, async () => (await import('./undoMove.ts')).undoMove(needs)),
    commands.command(commandIds.moveStoryUp, move('up')),
    commands.command(commandIds.moveStoryDown, move('down')),
    commands.command(commandIds.moveStoryToTop, move('top')),
    commands.command(commandIds.moveStoryToBottom, move('bottom')),
  );
}
