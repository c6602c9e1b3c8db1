import * as vscode from 'vscode';
import { type Backlog, orderOf } from '../../core/backlog.ts';
import { messageOf } from '../../core/errors.ts';
import { slippedStories } from '../../core/slippedStories.ts';
import { withIntent } from '../../core/withIntent.ts';
import type { App } from '../../host/app.ts';
import { type ProjectKey, StoryNode } from '../../host/nodes.ts';
import { tellWaiting } from '../../host/submitIntents.ts';
import type { MovePlan, MoveStep } from './movePlan.ts';
import { refusalError } from './refusalText.ts';
import { refusedSteps } from './refusedSteps.ts';
import { intentsOf } from './stepIntents.ts';

export type MoveNeeds = Pick<App, 'backlogs' | 'messages' | 'storiesView' | 'storyArgument' | 'log'>;

/**
 * Shows a planned move at once and resolves when the server has answered, or when it waits in the outbox.
 * @throws TrackerError when the plan is a refusal, or, the rows being back in place, when the server refuses.
 */
export async function moveStories(
  needs: MoveNeeds,
  key: ProjectKey,
  backlog: Backlog,
  plan: MovePlan,
  follow: 'whenSelected' | 'always' = 'whenSelected',
): Promise<void> {
  if ('refusal' in plan) throw refusalError(plan.refusal);
  const { steps, storyIds } = plan;
  if (!changesAnything(backlog, steps)) {
    needs.messages.status(vscode.l10n.t('Already there.'));
    return;
  }
  const submitted = needs.backlogs.submit(key, intentsOf(steps));
  const [submission] = await Promise.all([submitted, keepInSight(needs, key, storyIds, follow)]);
  if (submission.refused) throw refusedSteps(backlog, plan, submission, submission.refused);
  if (submission.waiting) {
    tellWaiting(needs, key, submission);
    return;
  }
  const slips = slipText(backlog, needs.backlogs.peek(key), storyIds);
  if (slips) needs.messages.status(slips);
}

/** Which stories the move pushed into later iterations, as the server has planned them since. */
function slipText(before: Backlog, after: Backlog | undefined, moved: readonly number[]): string | undefined {
  const slips = slippedStories(before.iterations, after?.iterations ?? [], moved);
  const texts = slips.map(({ iteration, storyIds }) =>
    storyIds.length === 1
      ? vscode.l10n.t('1 story slips to iteration {0}.', iteration)
      : vscode.l10n.t('{0} stories slip to iteration {1}.', storyIds.length, iteration),
  );
  return texts.length > 0 ? texts.join(' ') : undefined;
}

function changesAnything(backlog: Backlog, steps: readonly MoveStep[]): boolean {
  if (steps.some(({ state }) => state)) return true;
  const before = orderOf(backlog);
  return orderOf(intentsOf(steps).reduce((known, intent) => withIntent(known, intent), backlog)).some(
    (id, index) => id !== before[index],
  );
}

/** Keeps a moved row in sight. Several rows stay selected by themselves; selecting one would let go of the others. */
async function keepInSight(
  { storiesView, log }: MoveNeeds,
  { projectId }: ProjectKey,
  storyIds: readonly number[],
  follow: 'whenSelected' | 'always',
): Promise<void> {
  const [only, another] = storyIds;
  if (only === undefined || another !== undefined) return;
  const isSelected = storiesView.selection().some((row) => row instanceof StoryNode && row.story.id === only);
  if (follow === 'whenSelected' && !isSelected) return;
  try {
    await storiesView.reveal(only, projectId);
  } catch (thrown) {
    // VS Code cannot reveal a row while the tree changes again.
    log.debug(`row of story ${only} not revealed: ${messageOf(thrown)}`);
  }
}
