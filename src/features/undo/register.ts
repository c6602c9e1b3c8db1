import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { App } from '../../host/app.ts';
import type { UndoKind, UndoWay } from '../../host/story/undoHistory.ts';
import type { UndoNeeds } from './commands.ts';

/** Taking back what was done to stories, the latest first, and doing it again. */
export function register(app: UndoNeeds & Pick<App, 'commands'>): vscode.Disposable {
  const { commands } = app;
  const retrace = (way: UndoWay, kind?: UndoKind) => async (argument: unknown) =>
    (await import('./commands.ts')).retrace(app, way, kind, argument);
  return vscode.Disposable.from(
    commands.command(commandIds.undo, retrace('undo')),
    commands.command(commandIds.redo, retrace('redo')),
    commands.command(commandIds.undoMove, retrace('undo', 'move')),
    commands.command(commandIds.redoMove, retrace('redo', 'move')),
    commands.command(commandIds.undoEdit, retrace('undo', 'edit')),
    commands.command(commandIds.redoEdit, retrace('redo', 'edit')),
  );
}
