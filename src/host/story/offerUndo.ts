import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { visibleLine } from '../../core/shownText.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import { withoutIcons } from '../shell/plainText.ts';
import type { UndoKind } from './undoHistory.ts';

const SHOWN_MS = 8000;
const LONGEST = 80;
const LONGEST_SPOKEN = 1000;

let shown: vscode.StatusBarItem | undefined;

/** Says in the status bar for some seconds what was done; a click undoes it, if it is still the latest of its kind. */
export function offerUndo(text: string, kind: UndoKind = 'edit'): void {
  const undo = vscode.l10n.t('Undo');
  const item = showItem(vscode.l10n.t('Undo Story Change'), `${inBar(text)} $(discard) ${undo}`);
  const [command, title] =
    kind === 'edit'
      ? [commandIds.undoEdit, vscode.l10n.t('Undo Last Edit')]
      : [commandIds.undoMove, vscode.l10n.t('Undo Last Move')];
  const whole = visibleLine(text, LONGEST_SPOKEN);
  item.command = command;
  // All of it: the bar may have cut the end off.
  item.tooltip = `${whole}\n${title}`;
  item.accessibilityInformation = { label: `${whole} ${undo}`, role: 'button' };
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
