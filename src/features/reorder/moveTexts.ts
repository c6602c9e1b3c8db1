import * as vscode from 'vscode';
import { type Backlog, findStory } from '../../core/backlog/backlog.ts';
import {
  beforeIteration,
  beyondIteration,
  isPlannedAsHere,
  type NumberedStories,
  plannedHere,
  type Slip,
  slippedStories,
} from '../../core/backlog/localPlan.ts';
import { stateWord } from '../../core/backlog/stateWords.ts';
import { isInProgress } from '../../core/backlog/workflow.ts';
import { retold, TrackerError } from '../../core/errors.ts';
import { concurrentMove } from '../../core/moves/formerPositions.ts';
import type { ChangedSince } from '../../core/moves/madeMove.ts';
import { intentsOfStep, type MoveRefusal, type PossibleMove } from '../../core/moves/movePlan.ts';
import type { Submission } from '../../core/outbox/outbox.ts';
import type { Story } from '../../core/story/story.ts';
import { giveWay } from '../../host/shell/turnBudget.ts';
import { storyLabel } from '../../host/story/storyLabel.ts';
import type { UndoWay } from '../../host/story/undoHistory.ts';

/**
 * Which stories a move will push into later iterations, and which of those moved find no room in theirs, as far as that can be known before the server has planned. In turns,
 * so that the rows, and whoever works in this window, need not wait for it.
 */
export async function foreseenSlips(before: Backlog, shown: Backlog, plan: PossibleMove): Promise<string | undefined> {
  await giveWay();
  if (!isPlannedAsHere(before)) return undefined;
  await giveWay();
  const planned = plannedHere(shown);
  await giveWay();
  return planned && outcomeText(before, planned, plan);
}

/** As `foreseenSlips`, as the server has planned them since. */
export function madeSlips(before: Backlog, after: Backlog, plan: PossibleMove): string | undefined {
  return outcomeText(before, after.iterations, plan);
}

function outcomeText(before: Backlog, after: readonly NumberedStories[], plan: PossibleMove): string | undefined {
  const texts = [
    tooEarlyText(before, after, plan),
    noRoomText(before, after, plan),
    slipText(slippedStories(before.iterations, after, plan.storyIds)),
  ].filter((text) => text !== undefined);
  return texts.length > 0 ? texts.join(' ') : undefined;
}

function noRoomText(
  before: Backlog,
  after: readonly NumberedStories[],
  { iteration, storyIds }: PossibleMove,
): string | undefined {
  if (iteration === undefined) return undefined;
  const beyond = beyondIteration(after, storyIds, iteration);
  const [first, another] = beyond;
  if (first === undefined) return undefined;
  if (another !== undefined) {
    return vscode.l10n.t('{0} of {1} stories do not fit in iteration {2}.', beyond.length, storyIds.length, iteration);
  }
  // A name would push the rest out of the status bar.
  return (
    stayText(before, after, first, iteration) ?? vscode.l10n.t('#{0} does not fit in iteration {1}.', first, iteration)
  );
}

/** That a story is in the iteration in which it was before, which nothing else shows. */
function stayText(
  before: Backlog,
  after: readonly NumberedStories[],
  storyId: number,
  iteration: number,
): string | undefined {
  const holds = ({ stories }: NumberedStories) => stories.some(({ id }) => id === storyId);
  const number = after.find(holds)?.number;
  if (number === undefined || before.iterations.find(holds)?.number !== number) return undefined;
  if (before.project.commitMode)
    return vscode.l10n.t('#{0} stays in iteration {1} until it is started.', storyId, number);
  const points = findStory(before, storyId)?.estimate ?? 0;
  if (points <= 0) return undefined;
  return points === 1
    ? vscode.l10n.t('#{0} stays in iteration {1}: 1 point does not fit in iteration {2}.', storyId, number, iteration)
    : vscode.l10n.t(
        '#{0} stays in iteration {1}: {2} points do not fit in iteration {3}.',
        storyId,
        number,
        points,
        iteration,
      );
}

/** Why stories are planned for an earlier iteration than the one that they were put into: their order alone decides. */
function tooEarlyText(
  backlog: Backlog,
  after: readonly NumberedStories[],
  { iteration, storyIds }: PossibleMove,
): string | undefined {
  if (iteration === undefined) return undefined;
  const early = beforeIteration(after, storyIds, iteration);
  const [first, another] = early;
  if (!first) return undefined;
  if (another) return vscode.l10n.t('{0} of {1} stories fit in an earlier iteration.', early.length, storyIds.length);
  const isBegun = isInProgress(findStory(backlog, first.id)?.state ?? '');
  return isBegun
    ? vscode.l10n.t('#{0} has been started, so it stays in iteration {1}.', first.id, first.iteration)
    : vscode.l10n.t('#{0} still fits in iteration {1}, so it is planned there.', first.id, first.iteration);
}

/** Why nothing moves. */
export function alreadyThereText(backlog: Backlog, plan: PossibleMove): string {
  return outcomeText(backlog, backlog.iterations, plan) ?? vscode.l10n.t('Already there.');
}

/** Iterations that are named one by one. */
const NAMED = 3;

function slipText(slips: readonly Slip[]): string | undefined {
  const [first, last] = [slips[0], slips.at(-1)];
  if (first && last && slips.length > NAMED) {
    const count = slips.reduce((sum, { storyIds }) => sum + storyIds.length, 0);
    return vscode.l10n.t('{0} stories slip to iterations {1} to {2}.', count, first.iteration, last.iteration);
  }
  const texts = slips.map(({ iteration, storyIds }) =>
    storyIds.length === 1
      ? vscode.l10n.t('1 story slips to iteration {0}.', iteration)
      : vscode.l10n.t('{0} stories slip to iteration {1}.', storyIds.length, iteration),
  );
  return texts.length > 0 ? texts.join(' ') : undefined;
}

/** That others moved something while the move was on its way, so that it came out otherwise than it was shown. */
export function concurrentMoveText(shown: Backlog, now: Backlog, plan: PossibleMove): string | undefined {
  const found = concurrentMove(shown, now, plan);
  if (!found) return undefined;
  const name = storyInSentence(findStory(now, found.storyId) ?? findStory(shown, found.storyId), found.storyId);
  return found.moved === 'target'
    ? vscode.l10n.t(
        '{0} was moved by another change, and your stories moved with it. The order has been refreshed.',
        name,
      )
    : vscode.l10n.t(
        '{0} is not where you put it because the order was changed elsewhere. The order has been refreshed.',
        name,
      );
}

/** That a move was taken back or made again. */
export function retracedText(way: UndoWay, backlog: Backlog | undefined, storyIds: readonly number[]): string {
  const [first = 0, another] = storyIds;
  if (another !== undefined) {
    return way === 'undo'
      ? vscode.l10n.t('Moved {0} stories back.', storyIds.length)
      : vscode.l10n.t('Moved {0} stories again.', storyIds.length);
  }
  const name = storyInSentence(backlog && findStory(backlog, first), first);
  return way === 'undo' ? vscode.l10n.t('Moved {0} back.', name) : vscode.l10n.t('Moved {0} again.', name);
}

/** Why a move was not taken back or made again: one of its stories, or those around the place that it is to have, are not as they were. */
export function changedSinceText(way: UndoWay, backlog: Backlog, { changed, storyId }: ChangedSince): string {
  const name = storyInSentence(findStory(backlog, storyId), storyId);
  if (changed === 'story') {
    return way === 'undo'
      ? vscode.l10n.t('Could not undo because {0} has been moved or changed since. The order has been refreshed.', name)
      : vscode.l10n.t(
          'Could not redo because {0} has been moved or changed since. The order has been refreshed.',
          name,
        );
  }
  return way === 'undo'
    ? vscode.l10n.t(
        'Could not undo because the stories around the former position of {0} have been moved since. The order has been refreshed.',
        name,
      )
    : vscode.l10n.t(
        'Could not redo because the stories around the position of {0} have been moved since. The order has been refreshed.',
        name,
      );
}

/** Characters of a story's name in a message. */
const LENGTH = 80;

/** A story's name, shortened and in quotation marks; its number where it is not known. */
export function storyInSentence(story: Story | undefined, storyId: number): string {
  const name = storyLabel(story ?? { id: storyId, name: '' }).replace(/\s+/g, ' ');
  return `“${name.length > LENGTH ? `${name.slice(0, LENGTH).trimEnd()}…` : name}”`;
}

/** The error that says which story was not moved and how many were, with what the server said. */
export function refusedSteps(
  backlog: Backlog,
  { steps, storyIds }: PossibleMove,
  { sent }: Pick<Submission, 'sent'>,
  refused: TrackerError,
): TrackerError {
  let left = sent;
  for (const [moved, step] of steps.entries()) {
    const count = intentsOfStep(step).length;
    if (left >= count) {
      left -= count;
      continue;
    }
    const name = storyInSentence(findStory(backlog, step.storyId), step.storyId);
    if (!storyIds.includes(step.storyId)) {
      return retold(refused, `${vscode.l10n.t('Could not move {0} to make room', name)}: ${refused.message}`);
    }
    const head = left > 0 && step.state ? halfMoved(name, step.state) : vscode.l10n.t('Could not move {0}', name);
    return retold(refused, `${countText(moved, storyIds.length)}${head}: ${refused.message}`);
  }
  return refused;
}

/** The new state carried it over the border of the icebox, and there it stands at the end. */
function halfMoved(name: string, state: string): string {
  return vscode.l10n.t('{0} is now {1}, but could not be moved into place', name, stateWord(state));
}

function countText(moved: number, all: number): string {
  return all === 1 ? '' : `${vscode.l10n.t('Moved {0} of {1} stories.', moved, all)} `;
}

/** The error that tells a person why a story stays where it is. */
export function refusalError({ because, storyId }: MoveRefusal): TrackerError {
  switch (because) {
    case 'done':
      return new TrackerError('input', vscode.l10n.t('Story #{0} is done. Done stories cannot be moved.', storyId));
    case 'doneTarget':
      return new TrackerError(
        'input',
        vscode.l10n.t('Story #{0} is done. Stories cannot be moved before or after it.', storyId),
      );
    case 'inProgress':
      return new TrackerError(
        'input',
        vscode.l10n.t('Story #{0} has been started. Only unstarted stories can be moved to the icebox.', storyId),
      );
    case 'unsent':
      return new TrackerError(
        'input',
        vscode.l10n.t(
          'The server does not have this story yet. Stories that are not sent cannot be moved, and others cannot be moved next to them.',
        ),
      );
    case 'unknown':
      return new TrackerError('notFound', vscode.l10n.t('Could not find story #{0} in this project.', storyId));
  }
}
