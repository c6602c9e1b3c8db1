import * as vscode from 'vscode';
import type { MoveNeeds } from './moveStories.ts';
import { type RetraceTexts, retraceMove } from './retraceMove.ts';

/**
 * Takes back the latest move of the project that is selected: out of the outbox where it still waits, else by moving the
 * stories to where they were, after the order was read again. @throws TrackerError when that cannot be told any more.
 */
export function undoMove(needs: MoveNeeds): Promise<void> {
  const { done, undone } = needs.history;
  return retraceMove(needs, { from: done, onto: undone, texts: undoTexts() });
}

/** Makes the move again that was taken back last, as long as no new one was made. @throws TrackerError as `undoMove`. */
export function redoMove(needs: MoveNeeds): Promise<void> {
  const { done, undone } = needs.history;
  return retraceMove(needs, { from: undone, onto: done, texts: redoTexts() });
}

const undoTexts = (): RetraceTexts => ({
  nothing: vscode.l10n.t('There is no move to undo.'),
  one: (name) => vscode.l10n.t('{0} is back where it was.', name),
  several: (count) => vscode.l10n.t('{0} stories are back where they were.', count),
  story: (name) =>
    vscode.l10n.t('Not undone: {0} was moved or changed meanwhile. The order was read again.', name),
  place: (name) =>
    vscode.l10n.t(
      'Not undone: the stories around the former place of {0} were moved meanwhile. The order was read again.',
      name,
    ),
});

const redoTexts = (): RetraceTexts => ({
  nothing: vscode.l10n.t('There is no move to make again.'),
  one: (name) => vscode.l10n.t('{0} was moved again.', name),
  several: (count) => vscode.l10n.t('{0} stories were moved again.', count),
  story: (name) =>
    vscode.l10n.t('Not moved again: {0} was moved or changed meanwhile. The order was read again.', name),
  place: (name) =>
    vscode.l10n.t(
      'Not moved again: the stories around the place of {0} were moved meanwhile. The order was read again.',
      name,
    ),
});
