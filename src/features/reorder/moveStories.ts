import * as vscode from 'vscode';
import { type Backlog, orderOf } from '../../core/backlog.ts';
import { messageOf } from '../../core/errors.ts';
import type { Tracker } from '../../core/tracker.ts';
import type { App } from '../../host/app.ts';
import { type ProjectKey, StoryNode } from '../../host/nodes.ts';
import { withSteps } from './guessedMove.ts';
import type { MovePlan, MoveStep } from './movePlan.ts';
import { refusalError } from './refusalText.ts';

export type MoveNeeds = Pick<App, 'backlogs' | 'messages' | 'storiesView' | 'storyArgument' | 'log'>;

/**
 * Shows a planned move at once and resolves when the server has answered.
 * @throws TrackerError when the plan is a refusal, or, the rows being back in place, when the server refuses.
 */
export async function moveStories(needs: MoveNeeds, key: ProjectKey, backlog: Backlog, plan: MovePlan): Promise<void> {
  if ('refusal' in plan) throw refusalError(plan.refusal);
  const { steps } = plan;
  if (!changesAnything(backlog, steps)) {
    needs.messages.status(vscode.l10n.t('Already there.'));
    return;
  }
  const guess = (known: Backlog) => withSteps(known, steps);
  const sent = needs.backlogs.change(key, guess, (tracker) => send(tracker, key, steps));
  await Promise.all([sent, follow(needs, key, steps)]);
}

function changesAnything(backlog: Backlog, steps: readonly MoveStep[]): boolean {
  if (steps.some(({ state }) => state)) return true;
  const before = orderOf(backlog);
  return orderOf(withSteps(backlog, steps)).some((id, index) => id !== before[index]);
}

async function send(tracker: Tracker, { projectId }: ProjectKey, steps: readonly MoveStep[]): Promise<void> {
  for (const { storyId, state, spot } of steps) {
    const story = { projectId, storyId };
    if (state) await tracker.updateStory(story, { state });
    if (spot) await tracker.moveStory(story, spot.place, spot.targetId);
  }
}

/** Keeps a selected row in sight. Several rows stay selected by themselves; selecting one would let go of the others. */
async function follow(
  { storiesView, log }: MoveNeeds,
  { projectId }: ProjectKey,
  steps: readonly MoveStep[],
): Promise<void> {
  const selected = storiesView.selection().flatMap((row) => (row instanceof StoryNode ? row.story.id : []));
  const [only, another] = steps;
  if (!only || another || !selected.includes(only.storyId)) return;
  try {
    await storiesView.reveal(only.storyId, projectId);
  } catch (thrown) {
    // VS Code cannot reveal a row while the tree changes again.
    log.debug(`row of story ${only.storyId} not revealed: ${messageOf(thrown)}`);
  }
}
