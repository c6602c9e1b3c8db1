import * as vscode from 'vscode';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import type { App } from '../../host/app.ts';
import type { UndoKind, UndoWay } from '../../host/story/undoHistory.ts';
import { BY_KEY, SavedFilterNode, StoryNode, type TreeNode } from '../../host/tree/nodes.ts';
import { watchFocus } from '../../host/tree/selectedRow.ts';

export type UndoNeeds = Pick<App, 'messages' | 'storiesView' | 'undoHistory'>;

/**
 * Takes the latest change back, or does the one again that was taken back last: of the selected project where it has one. The
 * latest edit is that of the window, since an edit need not be made where rows are selected.
 * @throws TrackerError when it was changed since, or in the server's words when it refuses.
 */
export async function retrace(
  { messages, storiesView, undoHistory }: UndoNeeds,
  way: UndoWay,
  kind?: UndoKind,
  argument?: unknown,
): Promise<void> {
  const isHere = watchFocus();
  const [before] = storiesView.selection();
  const selected = kind === 'edit' ? undefined : () => projectOf(storiesView.selection()[0]);
  if (!(await undoHistory.retrace(way, kind, selected))) messages.status(nothingText(way, kind));
  const [now] = storiesView.selection();
  if (now instanceof StoryNode && now !== before && argument === BY_KEY && isHere()) await focusRow(storiesView, now);
}

/** A key of the tree leaves the focus in the tree, and on the row that was selected by what it did. */
function focusRow(storiesView: UndoNeeds['storiesView'], row: StoryNode): Promise<void> {
  const isWanted = () => {
    const [now] = storiesView.selection();
    return now instanceof StoryNode && now.story.id === row.story.id;
  };
  return storiesView.reveal(row.story.id, row.key.projectId, { row, isWanted, focus: true, onlyIfVisible: true });
}

function nothingText(way: UndoWay, kind: UndoKind | undefined): string {
  const isUndo = way === 'undo';
  switch (kind) {
    case 'move':
      return isUndo ? vscode.l10n.t('No move to undo.') : vscode.l10n.t('No move to redo.');
    case 'edit':
      return isUndo ? vscode.l10n.t('No edit to undo.') : vscode.l10n.t('No edit to redo.');
    case undefined:
      return isUndo ? vscode.l10n.t('No change to undo.') : vscode.l10n.t('No change to redo.');
  }
}

function projectOf(row: TreeNode | undefined): ProjectKey | undefined {
  if (!row || row instanceof SavedFilterNode) return undefined;
  return 'key' in row ? row.key : projectOf(row.parent);
}
