import * as vscode from 'vscode';
import { type Backlog, findStory } from '../../core/backlog.ts';
import { TrackerError } from '../../core/errors.ts';
import { isPlainObject } from '../../host/commands.ts';
import { storyPickItem } from '../../host/storyLabel.ts';
import { chosenStories } from './chosenStories.ts';
import { inOrder, movableIn, planNextTo, type Spot } from './movePlan.ts';
import { type MoveNeeds, moveStories } from './moveStories.ts';

/** `moveStory { storyId, place, targetId }` of contract.md; asks for what is not given. */
export async function moveStory(needs: MoveNeeds, argument: unknown, selected: unknown): Promise<void> {
  const named = isPlainObject(argument) ? spotIn(argument) : undefined;
  const chosen = await chosenStories(needs, argument, selected);
  if (!chosen) return;
  const backlog = await needs.backlogs.backlog(chosen.key);
  const storyIds = inOrder(backlog, chosen.storyIds);
  const spot = named ?? (await askSpot(backlog, storyIds));
  if (spot) await moveStories(needs, chosen.key, backlog, planNextTo(backlog, storyIds, spot));
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

async function askSpot(backlog: Backlog, storyIds: readonly number[]): Promise<Spot | undefined> {
  const places = [
    { label: vscode.l10n.t('Before…'), place: 'before' as const },
    { label: vscode.l10n.t('After…'), place: 'after' as const },
  ];
  const where = vscode.l10n.t('Where to move it');
  const chosen = await vscode.window.showQuickPick(places, { placeHolder: where });
  if (!chosen) return undefined;
  const targetId = await askTarget(backlog, storyIds, chosen.label);
  return targetId === undefined ? undefined : { place: chosen.place, targetId };
}

async function askTarget(
  backlog: Backlog,
  storyIds: readonly number[],
  placeHolder: string,
): Promise<number | undefined> {
  const ids = [...movableIn(backlog, 'scheduled'), ...movableIn(backlog, 'icebox')];
  const stories = ids.filter((id) => !storyIds.includes(id)).flatMap((id) => findStory(backlog, id) ?? []);
  const items = stories.map((story) => ({ ...storyPickItem(story), id: story.id }));
  return (await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true }))?.id;
}
