import * as vscode from 'vscode';
import { type Backlog, findStory } from '../../core/backlog/backlog.ts';
import { retold, TrackerError } from '../../core/errors.ts';
import type { Submission } from '../../core/outbox/outbox.ts';
import { intentsOfStep, type MoveRefusal, type PossibleMove } from './movePlan.ts';
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
      return retold(refused, `${vscode.l10n.t('{0} could not make room', name)}: ${refused.message}`);
    }
    const head = left > 0 && step.state ? halfMoved(name, step.state) : vscode.l10n.t('{0} was not moved', name);
    return retold(refused, `${countText(moved, storyIds.length)}${head}: ${refused.message}`);
  }
  return refused;
}

/** The new state carried it over the border of the icebox, and there it stands at the end. */
function halfMoved(name: string, state: string): string {
  return vscode.l10n.t('{0} is {1} now, but was not put in its place', name, state);
}

function countText(moved: number, all: number): string {
  return all === 1 ? '' : `${vscode.l10n.t('{0} of {1} stories were moved.', moved, all)} `;
}

/** The error that tells a person why a story stays where it is. */
export function refusalError({ because, storyId }: MoveRefusal): TrackerError {
  switch (because) {
    case 'done':
      return new TrackerError('input', vscode.l10n.t('Story #{0} is done; done stories are not moved.', storyId));
    case 'doneTarget':
      return new TrackerError(
        'input',
        vscode.l10n.t('Story #{0} is done; nothing can be put before or after it.', storyId),
      );
    case 'inProgress':
      return new TrackerError(
        'input',
        vscode.l10n.t('Story #{0} has been begun; only stories that are not started go to the icebox.', storyId),
      );
    case 'unsent':
      return new TrackerError(
        'input',
        vscode.l10n.t('A story that its server does not have yet can neither be moved nor have others put next to it.'),
      );
    case 'unknown':
      return new TrackerError('notFound', vscode.l10n.t('Story #{0} was not found in this project.', storyId));
  }
}
