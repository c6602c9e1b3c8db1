import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { visibleLine } from '../../core/shownText.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import { withoutIcons } from '../shell/plainText.ts';

const SHOWN_MS = 8000;
const LONGEST = 80;
const LONGEST_SPOKEN = 1000;

let shown: vscode.StatusBarItem | undefined;

/** Says in the status bar for some seconds what was done; a click undoes it. */
export function offerUndo(text: string): void {
  const item = showItem(vscode.l10n.t('Undo Story Change'), `$(discard) ${inBar(text)}`);
  item.tooltip = vscode.l10n.t('Undo Last Edit');
  item.accessibilityInformation = {
    label: vscode.l10n.t('{0} Undo', visibleLine(text, LONGEST_SPOKEN)),
    role: 'button',
  };
  item.command = commandIds.undoEdit;
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
