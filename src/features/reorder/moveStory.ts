import * as vscode from 'vscode';
import type { MovePlace } from '../../core/backlog/ordering.ts';
import { TrackerError } from '../../core/errors.ts';
import { isPlainObject } from '../../host/shell/commands.ts';
import { chosenStories } from './chosenStories.ts';
import { inOrder, planNextTo } from './movePlan.ts';
import { type MoveNeeds, moveStories } from './moveStories.ts';
import { pickSpot } from './pickSpot.ts';
import type { Spot } from './spot.ts';

/** `moveStory { storyId, place, targetId }` of contract.md; asks for what is not given, offering `place` first. */
export async function moveStory(
  needs: MoveNeeds,
  place: MovePlace,
  argument: unknown,
  selected: unknown,
): Promise<void> {
  const named = isPlainObject(argument) ? spotIn(argument) : undefined;
  const chosen = await chosenStories(needs, argument, selected);
  if (!chosen) return;
  const backlog = await needs.backlogs.backlog(chosen.key);
  const storyIds = inOrder(backlog, chosen.storyIds);
  const spot = named ?? (await pickSpot(backlog, storyIds, place));
  if (!spot) return;
  const now = needs.backlogs.peek(chosen.key) ?? backlog;
  await moveStories(needs, chosen.key, now, planNextTo(now, storyIds, spot));
}

/** @throws TrackerError `input` when only part of the place is given, or not in the form of contract.md. */
function spotIn({ place, targetId }: Readonly<Record<string, unknown>>): Spot | undefined {
  if (place === undefined && targetId === undefined) return undefined;
  if ((place === 'before' || place === 'after') && typeof targetId === 'number') return { place, targetId };
  throw new TrackerError(
    'input',
    vscode.l10n.t('A move is meant by { storyId: number, place: "before" | "after", targetId: number }.'),
  );
}
