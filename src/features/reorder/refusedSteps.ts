import * as vscode from 'vscode';
import { type Backlog, findStory } from '../../core/backlog/backlog.ts';
import { retold, type TrackerError } from '../../core/errors.ts';
import type { Submission } from '../../core/outbox/outbox.ts';
import type { PossibleMove } from './movePlan.ts';
import { intentsOfStep } from './stepIntents.ts';
import { storyInSentence } from './storyInSentence.ts';

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
