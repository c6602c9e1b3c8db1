import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { App } from '../../host/app.ts';
import type { EntryMakers } from '../../host/story/undoHistory.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';
import type { applyEdits, WorkNeeds } from './applyEdits.ts';

type Needs = WorkNeeds & Pick<App, 'commands'>;

/** What moves a story on: its state, estimate, owner, labels, comments, tasks and external ticket. */
export function register(app: Needs): vscode.Disposable {
  const load = () => import('./commands.ts');
  const { commands } = app;
  const run = (
    name: Exclude<
      keyof Awaited<ReturnType<typeof load>>,
      'addTaskTo' | 'openTicket' | 'tickTask' | 'unlinkTicket' | 'workMakers'
    >,
  ) => {
    return async (...args: readonly unknown[]) => (await load())[name](app, ...args);
  };
  return vscode.Disposable.from(
    commands.command(commandIds.changeState, run('changeState')),
    commands.command(commandIds.changeType, run('changeType')),
    commands.command(commandIds.renameStory, run('renameStory')),
    commands.command(commandIds.estimateStory, run('estimateStory')),
    commands.command(commandIds.ownStory, run('ownStory')),
    commands.command(commandIds.giveStoryUp, run('giveStoryUp')),
    commands.command(commandIds.assignStory, run('assignStory')),
    commands.command(commandIds.editLabels, run('editLabels')),
    commands.command(commandIds.addComment, run('addComment')),
    commands.command(commandIds.addTask, run('addTask')),
    commands.command(commandIds.editTask, run('editTask')),
    commands.command(commandIds.moveTask, run('moveTask')),
    commands.command(commandIds.deleteTask, run('deleteTask')),
    commands.command(commandIds.completeTask, async (...args) => (await load()).tickTask(app, args, true)),
    commands.command(commandIds.reopenTask, async (...args) => (await load()).tickTask(app, args, false)),
    commands.command(commandIds.editStory, run('editStory')),
    commands.command(commandIds.deleteStory, run('deleteStory')),
    commands.command(commandIds.moveToProject, run('moveToProject')),
    commands.command(commandIds.linkTicket, run('linkTicket')),
    commands.command(commandIds.unlinkTicket, async (story) => (await load()).unlinkTicket(app, story)),
    commands.command(commandIds.openTicket, async (story) => (await load()).openTicket(app, story)),
  );
}

/** `addTaskTo` for other features; what it takes is loaded with the first task. */
export function taskAddingOf(app: WorkNeeds) {
  return async (found: FoundStory, description: string) =>
    (await import('./commands.ts')).addTaskTo(app, found, description);
}

/** `applyEdits` for other features; what it takes is loaded with the first edit. */
export function editsOf(app: WorkNeeds) {
  return async (...wanted: Parameters<typeof applyEdits> extends [unknown, ...infer Rest] ? Rest : never) =>
    (await import('./applyEdits.ts')).applyEdits(app, ...wanted);
}

/** Makes what was done in an earlier window entries of the undo history again. */
export async function workMakers(app: WorkNeeds): Promise<Omit<EntryMakers, 'goneStories' | 'move' | 'thereStories'>> {
  return (await import('./commands.ts')).workMakers(app);
}
