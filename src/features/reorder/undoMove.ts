import * as vscode from 'vscode';
import { type Backlog, findStory } from '../../core/backlog.ts';
import { messageOf, TrackerError } from '../../core/errors.ts';
import { type ProjectKey, SavedFilterNode, type TreeNode } from '../../host/nodes.ts';
import { type ChangedSince, planBack } from './madeMove.ts';
import type { HistoryEntry } from './moveHistory.ts';
import { carryOut, type MoveNeeds } from './moveStories.ts';
import { storyInSentence } from './storyInSentence.ts';

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
    if (await isTakenBack(needs, entry)) return;
    try {
      await moveBack(needs, entry);
    } catch (thrown) {
      // The server may have it another time.
      if (!(thrown instanceof ChangedMeanwhile)) history.put(entry);
      throw thrown;
    }
  });
}

class ChangedMeanwhile extends TrackerError {}

/** No server has it yet, and now none will. */
async function isTakenBack({ backlogs, history }: MoveNeeds, entry: HistoryEntry): Promise<boolean> {
  const ids = entry.submission?.entryIds ?? [];
  const waiting = new Set(backlogs.unsent.filter(({ state }) => state === 'waiting').map(({ id }) => id));
  if (ids.length === 0 || !ids.every((id) => waiting.has(id)) || history.hasReplaced(entry)) return false;
  for (const id of ids.toReversed()) if (!(await backlogs.discard(id))) return false;
  return true;
}

async function moveBack(needs: MoveNeeds, { key, made, submission }: HistoryEntry): Promise<void> {
  const { backlogs, log } = needs;
  // While the server has not answered the move, what is shown is all that is known.
  if (submission) await backlogs.reload(key).catch((thrown: unknown) => log.debug(messageOf(thrown)));
  const read = await backlogs.backlog(key);
  const backlog = backlogs.peek(key) ?? read;
  const plan = planBack(backlog, made);
  if ('changed' in plan) throw new ChangedMeanwhile('refused', changedText(backlog, plan));
  await carryOut(needs, key, backlog, plan);
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
