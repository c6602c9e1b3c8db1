import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { TrackerError } from '../../core/errors.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import { visibleLine } from '../../core/text.ts';
import { withoutIcons } from '../shell/plainText.ts';
import type { UndoKind } from './undoHistory.ts';

const SHOWN_MS = 8000;
const LONGEST = 80;
const LONGEST_SPOKEN = 1000;

let shown: vscode.StatusBarItem | undefined;

/**
 * Says in the status bar for some seconds what was done, in its tooltip step by step where it took several; a click undoes it, if it is
 * still the latest of its kind.
 */
export function offerUndo(text: string, kind: UndoKind = 'edit', steps: readonly string[] = []): void {
  const undo = vscode.l10n.t('Undo');
  const item = showItem(vscode.l10n.t('Undo Story Change'), `${inBar(text)} $(discard) ${undo}`);
  const [command, title] =
    kind === 'edit'
      ? [commandIds.undoEdit, vscode.l10n.t('Undo Last Edit')]
      : [commandIds.undoMove, vscode.l10n.t('Undo Last Move')];
  const whole = visibleLine(text, LONGEST_SPOKEN);
  item.command = command;
  // All of it: the bar may have cut the end off.
  const lines = steps.map((step) => visibleLine(step, LONGEST_SPOKEN));
  item.tooltip = [whole, ...lines.map((line) => `• ${line}`), title].join('\n');
  item.accessibilityInformation = { label: [whole, ...lines, undo].join(' '), role: 'button' };
}

/** As `offerUndo`, of a story that is there again; a click opens it. */
export function offerRestored(text: string, story: ProjectKey & { readonly storyId: number }): void {
  const open = vscode.l10n.t('Open Story');
  const item = showItem(open, `$(go-to-file) ${inBar(text)}`);
  item.tooltip = open;
  item.accessibilityInformation = { label: `${text} ${open}`, role: 'button' };
  item.command = { title: open, command: commandIds.openStory, arguments: [{ ...story, caller: 'person' }] };
}

function inBar(text: string): string {
  return withoutIcons(visibleLine(text, LONGEST));
}

function showItem(name: string, text: string): vscode.StatusBarItem {
  shown?.dispose();
  const item = vscode.window.createStatusBarItem('storyTracker.undoEdit', vscode.StatusBarAlignment.Left);
  item.name = name;
  item.text = text;
  item.show();
  shown = item;
  setTimeout(() => item.dispose(), SHOWN_MS);
  return item;
}

/** Takes the offer away: what it would undo may just have been undone. */
export function withdrawUndoOffer(): void {
  shown?.dispose();
}

/** Says that nothing is taken back of what waited for its server and was refused or discarded there. Without numbers for what has none. */
export function unmadeError(storyIds: readonly number[] = []): TrackerError {
  const [first, ...others] = storyIds.filter((id) => id > 0);
  if (first === undefined) {
    return new TrackerError('input', vscode.l10n.t('There is nothing to undo because the change was never made.'));
  }
  const ids = [first, ...others].map((id) => `#${id}`).join(', ');
  return new TrackerError(
    'input',
    others.length === 0
      ? vscode.l10n.t('There is nothing to undo for story {0} because the change was never made.', ids)
      : vscode.l10n.t('There is nothing to undo for these stories because they were never changed: {0}', ids),
  );
}
