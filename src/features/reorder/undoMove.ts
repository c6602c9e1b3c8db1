import * as vscode from 'vscode';
import { type Backlog, findStory } from '../../core/backlog.ts';
import { TrackerError } from '../../core/errors.ts';
import { type ProjectKey, SavedFilterNode, type TreeNode } from '../../host/nodes.ts';
import { type ChangedSince, withSteps } from './madeMove.ts';
import type { HistoryEntry } from './moveHistory.ts';
import { carryOut, type MoveNeeds } from './moveStories.ts';
import { storyInSentence } from './storyInSentence.ts';
import { isTakenBack, plannedBack } from './takeBack.ts';

/**
 * Takes back the latest move of the project that is selected: out of the outbox where it still waits, else by moving the
 * stories to where they were, after the order was read again. @throws TrackerError when that cannot be told any more.
 */
export function undoMove(needs: MoveNeeds): Promise<void> {
  const { history } = needs;
  return history.inTurn(async () => {
    history.keep((key) => needs.backlogs.peek(key) !== undefined);
    const entry = history.last(selectedProject(needs));
    if (!entry) return needs.messages.status(vscode.l10n.t('There is no move to undo.'));
    history.remove(entry);
    try {
      if (!(await isTakenBack(needs, entry))) await moveBack(needs, entry);
    } catch (thrown) {
      // The server may have it another time.
      if (!(thrown instanceof ChangedMeanwhile)) history.put(entry);
      throw thrown;
    }
  });
}

class ChangedMeanwhile extends TrackerError {}

async function moveBack(needs: MoveNeeds, entry: HistoryEntry): Promise<void> {
  const { backlog, plan } = await plannedBack(needs, entry);
  if ('changed' in plan) throw new ChangedMeanwhile('refused', changedText(backlog, plan));
  await carryOut(needs, entry.key, { before: backlog, shown: withSteps(backlog, plan.steps), plan });
}

function changedText(backlog: Backlog, { changed, storyId }: ChangedSince): string {
  const name = storyInSentence(findStory(backlog, storyId), storyId);
  return changed === 'story'
    ? vscode.l10n.t('Not undone: {0} was moved or changed meanwhile. The order was read again.', name)
    : vscode.l10n.t(
        'Not undone: the stories around the former place of {0} were moved meanwhile. The order was read again.',
        name,
      );
}

function selectedProject({ storiesView }: MoveNeeds): ProjectKey | undefined {
  const [row] = storiesView.selection();
  return row && keyOf(row);
}

function keyOf(row: TreeNode): ProjectKey | undefined {
  if ('key' in row) return row.key;
  return row instanceof SavedFilterNode ? undefined : keyOf(row.parent);
}
