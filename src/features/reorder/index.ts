import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { App } from '../../host/app.ts';
import { moveByKeys } from './moveByKeys.ts';
import { moveStory } from './moveStory.ts';
import { storyDrops } from './storyDrops.ts';

type Needs = Pick<App, 'commands' | 'backlogs' | 'messages' | 'storyArgument' | 'storiesView' | 'drops' | 'log'>;

/** Putting stories in order: by dragging, by keys, and by name. */
export function register(app: Needs): vscode.Disposable {
  const { commands, drops } = app;
  drops.register(storyDrops(app, drops));
  return vscode.Disposable.from(
    commands.command(commandIds.moveStory, (story, rows) => moveStory(app, story, rows)),
    commands.command(commandIds.moveStoryUp, (story, rows) => moveByKeys(app, 'up', story, rows)),
    commands.command(commandIds.moveStoryDown, (story, rows) => moveByKeys(app, 'down', story, rows)),
    commands.command(commandIds.moveStoryToTop, (story, rows) => moveByKeys(app, 'top', story, rows)),
    commands.command(commandIds.moveStoryToBottom, (story, rows) => moveByKeys(app, 'bottom', story, rows)),
  );
}
