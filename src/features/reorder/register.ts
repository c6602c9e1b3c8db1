import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { MovePlace } from '../../core/backlog/ordering.ts';
import type { App } from '../../host/app.ts';
import type { EntryMakers } from '../../host/story/undoHistory.ts';
import { STORY_ROWS } from '../../host/tree/treeDrops.ts';
import type { MoveNeeds } from './moveStories.ts';
import type { Direction } from './spots.ts';

type MovingNeeds = Omit<MoveNeeds, 'latestShown' | 'shown'>;
type Needs = MoveNeeds & Pick<App, 'commands' | 'drops'>;

/** Putting stories in order: by dragging, by keys, and by name. */
export function register(app: Needs): vscode.Disposable {
  const load = () => import('./commands.ts');
  const { commands, drops, undoHistory } = app;
  /** So that what takes moves back knows of those that are about to be shown. */
  const move = (run: (needs: MoveNeeds) => Promise<void>): Promise<void> => {
    const shown = undoHistory.expect();
    return run({ ...app, shown }).finally(shown);
  };
  drops.register({
    mimeTypes: [STORY_ROWS],
    drop: (target) => {
      const { draggedStories } = drops;
      return move(async (needs) => (await load()).dropStories(needs, draggedStories, target));
    },
  });
  const moveByKeys = (direction: Direction) => (story: unknown, rows: unknown) =>
    move(async (needs) => (await load()).moveByKeys(needs, direction, story, rows));
  // No work is held up while a person looks for a place.
  const moveNextTo = (place: MovePlace) => async (story: unknown, rows: unknown) =>
    (await load()).moveStory(app, place, story, rows);
  return vscode.Disposable.from(
    commands.command(commandIds.moveStory, moveNextTo('before')),
    commands.command(commandIds.moveStoryBefore, moveNextTo('before')),
    commands.command(commandIds.moveStoryAfter, moveNextTo('after')),
    commands.command(commandIds.moveStoryUp, moveByKeys('up')),
    commands.command(commandIds.moveStoryDown, moveByKeys('down')),
    commands.command(commandIds.moveStoryToTop, moveByKeys('top')),
    commands.command(commandIds.moveStoryToBottom, moveByKeys('bottom')),
  );
}

/** What moves need, shared by those that are made and those that are taken back in a later window. */
export function movingOf<N extends MovingNeeds>(app: N): N & Pick<MoveNeeds, 'latestShown'> {
  return { ...app, latestShown: new Map() };
}

/** Makes moves of an earlier window entries again. */
export async function moveMakers(moving: MoveNeeds): Promise<Pick<EntryMakers, 'move'>> {
  return (await import('./commands.ts')).moveMakers(moving);
}
