import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { App } from '../../host/app.ts';
import type { applyEdits, WorkNeeds } from './applyEdits.ts';

type Needs = WorkNeeds & Pick<App, 'commands'>;

/** What moves a story on: its state, estimate, owner, labels, comments, tasks and external ticket. */
export function register(app: Needs): vscode.Disposable {
  const load = () => import('./commands.ts');
  const { commands } = app;
  return vscode.Disposable.from(
    commands.command(commandIds.changeState, async (...args) => (await load()).changeState(app, ...args)),
    commands.command(commandIds.estimateStory, async (...args) => (await load()).estimateStory(app, ...args)),
    commands.command(commandIds.ownStory, async (...args) => (await load()).ownStory(app, ...args)),
    commands.command(commandIds.giveStoryUp, async (...args) => (await load()).giveStoryUp(app, ...args)),
    commands.command(commandIds.assignStory, async (...args) => (await load()).assignStory(app, ...args)),
    commands.command(commandIds.editLabels, async (...args) => (await load()).editLabels(app, ...args)),
    commands.command(commandIds.addComment, async (...args) => (await load()).addComment(app, ...args)),
    commands.command(commandIds.addTask, async (...args) => (await load()).addTask(app, ...args)),
    commands.command(commandIds.editTask, async (...args) => (await load()).editTask(app, ...args)),
    commands.command(commandIds.deleteTask, async (...args) => (await load()).deleteTask(app, ...args)),
    commands.command(commandIds.completeTask, async (row) => (await load()).tickTask(app, row, true)),
    commands.command(commandIds.reopenTask, async (row) => (await load()).tickTask(app, row, false)),
    commands.command(commandIds.editStory, async (...args) => (await load()).editStory(app, ...args)),
    commands.command(commandIds.deleteStory, async (...args) => (await load()).deleteStory(app, ...args)),
    commands.command(commandIds.moveToProject, async (...args) => (await load()).moveToProject(app, ...args)),
    commands.command(commandIds.linkTicket, async (...args) => (await load()).linkTicket(app, ...args)),
    commands.command(commandIds.unlinkTicket, async (story) => (await load()).unlinkTicket(app, story)),
    commands.command(commandIds.openTicket, async (story) => (await load()).openTicket(app, story)),
  );
}

/** `applyEdits` for other features; what it takes is loaded with the first edit. */
export function editsOf(app: WorkNeeds) {
  return async (...wanted: Parameters<typeof applyEdits> extends [unknown, ...infer Rest] ? Rest : never) =>
    (await import('./applyEdits.ts')).applyEdits(app, ...wanted);
}
