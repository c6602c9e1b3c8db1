import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { messageOf } from '../../core/errors.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import type { App } from '../../host/app.ts';
import { followAwaited } from '../../host/story/restoredNumbers.ts';
import { storyMakers } from '../../host/story/reversibleStories.ts';
import type { EntryMakers, UndoKind, UndoWay } from '../../host/story/undoHistory.ts';
import { BY_KEY, SavedFilterNode, StoryNode, type TreeNode } from '../../host/tree/nodes.ts';
import { watchFocus } from '../../host/tree/selectedRow.ts';
import { StoredHistory } from './storedHistory.ts';

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
  if (argument === BY_KEY) await focusSelected(storiesView, before, isHere);
}

/** Milliseconds for which VS Code may say that nothing is selected, since it paints the tree anew. */
const PAINTING_MS = 1000;

/** The row that is selected as soon as one is, unless it is the one of before. */
async function focusSelected(
  storiesView: UndoNeeds['storiesView'],
  before: TreeNode | undefined,
  isHere: () => boolean,
): Promise<void> {
  const begun = performance.now();
  let [now] = storiesView.selection();
  while (now === undefined && isHere() && performance.now() - begun < PAINTING_MS) {
    await sleep(50);
    [now] = storiesView.selection();
  }
  if (now instanceof StoryNode && now !== before && isHere()) await focusRow(storiesView, now);
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

export type KeepingNeeds = Pick<
  App,
  | 'accounts'
  | 'backlogs'
  | 'log'
  | 'messages'
  | 'openDrafts'
  | 'restoredStories'
  | 'storiesView'
  | 'undoHistory'
  | 'workspaceMemory'
>;

/** Keeps the window's history in its workspace. */
export function keepHistory(
  app: KeepingNeeds,
  makers: Omit<EntryMakers, 'goneStories' | 'thereStories'>,
): StoredHistory {
  const { accounts, backlogs, log, undoHistory, restoredStories, workspaceMemory } = app;
  const readProjects = async (keys: readonly ProjectKey[]) => {
    try {
      await backlogs.projects();
      const isThere = await Promise.all(keys.map((key) => backlogs.has(key)));
      await Promise.all(keys.filter((_, index) => isThere[index]).map((key) => backlogs.backlog(key)));
    } catch (thrown) {
      // What is undone is looked up one by one then.
      log.debug(messageOf(thrown));
    }
  };
  const accountIds = async () => (await accounts.list()).map(({ id }) => id);
  return new StoredHistory(
    {
      ...{ log, undoHistory, restoredStories, workspaceMemory, accountIds, readProjects },
      followAwaited: (story) => followAwaited(app, story),
    },
    { ...makers, ...storyMakers(app) },
  );
}
