import * as vscode from 'vscode';
import type { Backlog } from '../../core/backlog/backlog.ts';
import { TrackerError } from '../../core/errors.ts';
import { isPendingStory } from '../../core/intents/editedStory.ts';
import { areaOf, inOrder, type MovePlan, planInto } from './movePlan.ts';
import { chosenStories, type MoveNeeds, moveStories } from './moveStories.ts';
import { refusalError } from './refusedSteps.ts';
import { type Direction, spotInDirection } from './spots.ts';

/** Moves the chosen stories one place or to an end of their area: the backlog or the icebox. */
export async function moveByKeys(
  needs: MoveNeeds,
  direction: Direction,
  argument: unknown,
  selected: unknown,
): Promise<void> {
  const chosen = await chosenStories(needs, [argument, selected]);
  if (!chosen) return;
  const read = await needs.backlogs.backlog(chosen.key);
  // Keys come faster than this goes on: the move before is planned by then.
  const backlog = needs.backlogs.peek(chosen.key) ?? read;
  const plan = planInDirection(backlog, inOrder(backlog, chosen.storyIds), direction);
  if (plan) await moveStories(needs, chosen.key, backlog, plan);
  else needs.messages.status(atEndText(direction));
}

function planInDirection(backlog: Backlog, storyIds: readonly number[], direction: Direction): MovePlan | undefined {
  const unsent = storyIds.find((id) => isPendingStory({ id }));
  if (unsent !== undefined) throw refusalError({ because: 'unsent', storyId: unsent });
  const areas = storyIds.map((id) => areaOf(backlog, id));
  const done = storyIds[areas.indexOf(undefined)];
  if (done !== undefined) throw refusalError({ because: 'done', storyId: done });
  const [area] = areas;
  if (!area) return undefined;
  if (areas.some((one) => one !== area)) {
    throw new TrackerError('input', vscode.l10n.t('Move stories in the backlog and in the icebox separately.'));
  }
  const spot = spotInDirection(backlog, area, storyIds, direction);
  return spot && planInto(backlog, area, storyIds, spot);
}

function atEndText(direction: Direction): string {
  return direction === 'up' || direction === 'top'
    ? vscode.l10n.t('Already at the top.')
    : vscode.l10n.t('Already at the bottom.');
}
