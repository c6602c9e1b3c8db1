import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { App } from '../../host/app.ts';
import { EditsMade, type WorkNeeds } from './editsMade.ts';

type Needs = Omit<WorkNeeds, 'edits'> & Pick<App, 'commands'>;

/** What moves a story on: its state, estimate, owner, labels, comments, tasks and external ticket. */
export function register(app: Needs): vscode.Disposable {
  const { commands } = app;
  const needs: WorkNeeds = { ...app, edits: new EditsMade() };
  const owning = () => import('./ownStory.ts');
  const tickets = () => import('./linkedTicket.ts');
  const ticking = () => import('./addTask.ts');
  return vscode.Disposable.from(
    commands.command(commandIds.changeState, async (...args) =>
      (await import('./changeState.ts')).changeState(needs, ...args),
    ),
    commands.command(commandIds.estimateStory, async (...args) =>
      (await import('./estimateStory.ts')).estimateStory(needs, ...args),
    ),
    commands.command(commandIds.ownStory, async (...args) => (await owning()).ownStory(needs, ...args)),
    commands.command(commandIds.giveStoryUp, async (...args) => (await owning()).giveStoryUp(needs, ...args)),
    commands.command(commandIds.assignStory, async (...args) => (await owning()).assignStory(needs, ...args)),
    commands.command(commandIds.editLabels, async (...args) =>
      (await import('./editLabels.ts')).editLabels(needs, ...args),
    ),
    commands.command(commandIds.addComment, async (...args) =>
      (await import('./addComment.ts')).addComment(needs, ...args),
    ),
    commands.command(commandIds.addTask, async (...args) => (await import('./addTask.ts')).addTask(needs, ...args)),
    commands.command(commandIds.completeTask, async (row) => (await ticking()).tickTask(needs, row, true)),
    commands.command(commandIds.reopenTask, async (row) => (await ticking()).tickTask(needs, row, false)),
    commands.command(commandIds.linkTicket, async (...args) =>
      (await import('./linkTicket.ts')).linkTicket(needs, ...args),
    ),
    commands.command(commandIds.unlinkTicket, async (story) => (await tickets()).unlinkTicket(needs, story)),
    commands.command(commandIds.openTicket, async (story) => (await tickets()).openTicket(needs, story)),
    commands.command(commandIds.undoEdit, async () => (await import('./undoEdit.ts')).undoEdit(needs)),
    commands.command(commandIds.redoEdit, async () => (await import('./undoEdit.ts')).redoEdit(needs)),
  );
}
