import * as vscode from 'vscode';
import { type Backlog, findStory } from '../../core/backlog/backlog.ts';
import { TrackerError } from '../../core/errors.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import type { UndoWay } from '../../host/story/undoHistory.ts';
import { SavedFilterNode, type TreeNode } from '../../host/tree/nodes.ts';
import { type ChangedSince, takenBack, withSteps } from './madeMove.ts';
import type { MoveEntry } from './moveHistory.ts';
import { carryOut, type MoveNeeds } from './moveStories.ts';
import { storyInSentence } from './moveTexts.ts';
import { isTakenBack, plannedBack } from './takeBack.ts';

/**
 * Takes back the latest move of the project that is selected: out of the outbox where it still waits, else by moving the
 * stories to where they were, after the order was read again. @throws TrackerError when that cannot be told any more.
 */
export function undoMove(needs: MoveNeeds): Promise<void> {
  return retraceMove(needs, needs.history.undoing, undoTexts());
}

/** Makes the move again that was taken back last, as long as no new one was made. @throws TrackerError as `undoMove`. */
export function redoMove(needs: MoveNeeds): Promise<void> {
  return retraceMove(needs, needs.history.redoing, redoTexts());
}

const undoTexts = (): RetraceTexts => ({
  nothing: vscode.l10n.t('No move to undo.'),
  one: (name) => vscode.l10n.t('Moved {0} back.', name),
  several: (count) => vscode.l10n.t('Moved {0} stories back.', count),
  story: (name) =>
    vscode.l10n.t('Could not undo because {0} has been moved or changed since. The order has been refreshed.', name),
  place: (name) =>
    vscode.l10n.t(
      'Could not undo because the stories around the former position of {0} have been moved since. The order has been refreshed.',
      name,
    ),
});

const redoTexts = (): RetraceTexts => ({
  nothing: vscode.l10n.t('No move to redo.'),
  one: (name) => vscode.l10n.t('Moved {0} again.', name),
  several: (count) => vscode.l10n.t('Moved {0} stories again.', count),
  story: (name) =>
    vscode.l10n.t('Could not redo because {0} has been moved or changed since. The order has been refreshed.', name),
  place: (name) =>
    vscode.l10n.t(
      'Could not redo because the stories around the position of {0} have been moved since. The order has been refreshed.',
      name,
    ),
});

interface RetraceTexts {
  readonly nothing: string;
  readonly one: (name: string) => string;
  readonly several: (count: number) => string;
  /** The story was moved or changed in the meantime. */
  readonly story: (name: string) => string;
  /** The stories around the place that it is to have were. */
  readonly place: (name: string) => string;
}

/** Makes up for the latest move of the selected project; what that did can be made up for in turn. */
function retraceMove(needs: MoveNeeds, { from, onto }: UndoWay<MoveEntry>, texts: RetraceTexts): Promise<void> {
  const { history, backlogs, messages } = needs;
  return history.inTurn(async () => {
    history.keep((key) => backlogs.peek(key) !== undefined);
    const entry = from.last(selectedProject(needs));
    if (!entry) return messages.status(texts.nothing);
    const inverse: MoveEntry = { key: entry.key, made: takenBack(entry.made), mayWithdraw: false };
    from.remove(entry);
    onto.put(inverse);
    try {
      if (await isTakenBack(needs, entry)) messages.status(doneText(needs, entry, texts));
      else await moveBack(needs, entry, inverse, texts);
    } catch (thrown) {
      onto.remove(inverse);
      // The server may have it another time.
      if (!(thrown instanceof ChangedMeanwhile)) from.put(entry);
      throw thrown;
    }
  });
}

class ChangedMeanwhile extends TrackerError {}

async function moveBack(needs: MoveNeeds, entry: MoveEntry, inverse: MoveEntry, texts: RetraceTexts): Promise<void> {
  const { backlog, plan } = await plannedBack(needs, entry);
  if ('changed' in plan) throw new ChangedMeanwhile('refused', changedText(backlog, plan, texts));
  const shown = withSteps(backlog, plan.steps);
  // What slips for it is told after it.
  needs.messages.status(doneText(needs, entry, texts));
  inverse.submission = await carryOut(needs, entry.key, { before: backlog, shown, plan });
}

function doneText({ backlogs }: MoveNeeds, { key, made }: MoveEntry, { one, several }: RetraceTexts): string {
  const [first = 0, another] = made.storyIds;
  const backlog = backlogs.peek(key);
  if (another !== undefined) return several(made.storyIds.length);
  return one(storyInSentence(backlog && findStory(backlog, first), first));
}

function changedText(backlog: Backlog, { changed, storyId }: ChangedSince, texts: RetraceTexts): string {
  const name = storyInSentence(findStory(backlog, storyId), storyId);
  return changed === 'story' ? texts.story(name) : texts.place(name);
}

function selectedProject({ storiesView }: MoveNeeds): ProjectKey | undefined {
  const [row] = storiesView.selection();
  return row && keyOf(row);
}

function keyOf(row: TreeNode): ProjectKey | undefined {
  if ('key' in row) return row.key;
  return row instanceof SavedFilterNode ? undefined : keyOf(row.parent);
}
