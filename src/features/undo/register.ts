import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { App } from '../../host/app.ts';
import { setContext } from '../../host/shell/commands.ts';
import { inBackground } from '../../host/shell/turnBudget.ts';
import { type EntryMakers, KEPT_UNDO, type UndoKind, type UndoWay } from '../../host/story/undoHistory.ts';
import type { KeepingNeeds, UndoNeeds } from './commands.ts';
import type { StoredHistory } from './storedHistory.ts';

/** Taking back what was done to stories, the latest first, and doing it again. */
export function register(
  app: UndoNeeds & KeepingNeeds & Pick<App, 'commands'>,
  makers: () => Promise<Omit<EntryMakers, 'goneStories' | 'thereStories'>>,
): vscode.Disposable {
  const { accounts, commands, log, undoHistory, workspaceMemory } = app;
  let kept: Promise<StoredHistory> | undefined;
  const keeper = () => {
    kept ??= import('./commands.ts').then(async ({ keepHistory }) => keepHistory(app, await makers()));
    return kept;
  };
  const isKept = () => workspaceMemory.keys().some((name) => name.startsWith(KEPT_UNDO));
  const changed = () =>
    inBackground(
      log,
      keeper()
        .then((one) => one.write())
        .then(() => setContext('storyTracker.hasMoveToUndo', undoHistory.open('undo').some(isMove))),
    );
  // What earlier windows did is read once it is asked for; until then, it may be a move.
  if (isKept()) void setContext('storyTracker.hasMoveToUndo', true);
  undoHistory.attach({ ready: async () => (await keeper()).ready(), changed });
  const retrace = (way: UndoWay, kind?: UndoKind) => async (argument: unknown) =>
    (await import('./commands.ts')).retrace(app, way, kind, argument);
  return vscode.Disposable.from(
    // Whoever signs out leaves nothing of what they did.
    accounts.onDidChange(() => {
      if (kept || isKept()) changed();
    }),
    commands.command(commandIds.undo, retrace('undo')),
    commands.command(commandIds.redo, retrace('redo')),
    commands.command(commandIds.undoMove, retrace('undo', 'move')),
    commands.command(commandIds.redoMove, retrace('redo', 'move')),
    commands.command(commandIds.undoEdit, retrace('undo', 'edit')),
    commands.command(commandIds.redoEdit, retrace('redo', 'edit')),
  );
}

function isMove({ kind }: { readonly kind: UndoKind }): boolean {
  return kind === 'move';
}
