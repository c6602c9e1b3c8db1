import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { App } from '../../host/app.ts';
import { EditHistory, type WorkNeeds } from './editsMade.ts';

type Needs = Omit<WorkNeeds, 'history'> & Pick<App, 'commands'>;

/** What moves a story on: its state, estimate, owner, labels, comments, tasks and external ticket. */
export function register(app: Needs): vscode.Disposable {
  const load = () => import('./commands.ts');
  const { commands } = app;
  const needs: WorkNeeds = { ...app, history: new EditHistory() };
  return vscode.Disposable.from(
    commands.command(commandIds.changeState, async (...args) => (await load()).changeState(needs, ...args)),
    commands.command(commandIds.estimateStory, async (...args) => (await load()).estimateStory(needs, ...args)),
    commands.command(commandIds.ownStory, async (...args) => (await load()).ownStory(needs, ...args)),
    commands.command(commandIds.giveStoryUp, async (...args) => (await load()).giveStoryUp(needs, ...args)),
    commands.command(commandIds.assignStory, async (...args) => (await load()).assignStory(needs, ...args)),
    commands.command(commandIds.editLabels, async (...args) => (await load()).editLabels(needs, ...args)),
    commands.command(commandIds.addComment, async (...args) => (await load()).addComment(needs, ...args)),
    commands.command(commandIds.addTask, async (...args) => (await load()).addTask(needs, ...args)),
    commands.command(commandIds.completeTask, async (row) => (await load()).tickTask(needs, row, true)),
    commands.command(commandIds.reopenTask, async (row) => (await load()).tickTask(needs, row, false)),
    commands.command(commandIds.linkTicket, async (...args) => (await load()).linkTicket(needs, ...args)),
    commands.command(commandIds.unlinkTicket, async (story) => (await load()).unlinkTicket(needs, story)),
    commands.command(commandIds.openTicket, async (story) => (await load()).openTicket(needs, story)),
    commands.command(commandIds.undoEdit, async () => (await load()).undoEdit(needs)),
    commands.command(commandIds.redoEdit, async () => (await load()).redoEdit(needs)),
  );
}
