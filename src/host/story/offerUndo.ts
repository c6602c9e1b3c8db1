import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { visibleLine } from '../../core/text.ts';
import { withoutIcons } from '../shell/plainText.ts';

const SHOWN_MS = 8000;
const LONGEST = 80;

let shown: vscode.StatusBarItem | undefined;

/** Says in the status bar for some seconds what was done; a click undoes it. */
export function offerUndo(text: string): void {
  shown?.dispose();
  const item = vscode.window.createStatusBarItem('storyTracker.undoEdit', vscode.StatusBarAlignment.Left);
  item.name = vscode.l10n.t('Undo Story Change');
  item.text = `$(discard) ${withoutIcons(visibleLine(text, LONGEST))}`;
  item.tooltip = vscode.l10n.t('Undo Last Edit');
  item.accessibilityInformation = { label: vscode.l10n.t('{0} Undo', text), role: 'button' };
  item.command = commandIds.undoEdit;
  item.show();
  shown = item;
  setTimeout(() => item.dispose(), SHOWN_MS);
}

/** Takes the offer away: what it would undo may just have been undone. */
export function withdrawUndoOffer(): void {
  shown?.dispose();
}
