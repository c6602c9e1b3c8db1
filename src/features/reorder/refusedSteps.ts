import * as vscode from 'vscode';
import { type Backlog, findStory } from '../../core/backlog/backlog.ts';
import { retold, TrackerError } from '../../core/errors.ts';
import { intentsOfStep, type MoveRefusal, type PossibleMove } from '../../core/moves/movePlan.ts';
import type { Submission } from '../../core/outbox/outbox.ts';
import { storyInSentence } from './moveTexts.ts';

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
  return vscode.l10n.t('{0} is now {1}, but could not be moved into place', name, state);
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
