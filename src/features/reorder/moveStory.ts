import * as vscode from 'vscode';
import type { Backlog } from '../../core/backlog/backlog.ts';
import type { MovePlace } from '../../core/backlog/ordering.ts';
import { TrackerError } from '../../core/errors.ts';
import type { Story } from '../../core/story/story.ts';
import { isPlainObject } from '../../host/shell/commands.ts';
import { storyPickItem } from '../../host/story/storyLabel.ts';
import type { Spot } from './fewestMoves.ts';
import { inOrder, isMovable, planNextTo } from './movePlan.ts';
import { chosenStories, type MoveNeeds, moveStories } from './moveStories.ts';
import { storyInSentence } from './moveTexts.ts';

/** `moveStory { storyId, place, targetId }` of contract.md; asks for what is not given, offering `place` first. */
export async function moveStory(
  needs: MoveNeeds,
  place: MovePlace,
  argument: unknown,
  selected: unknown,
): Promise<void> {
  const named = isPlainObject(argument) ? spotIn(argument) : undefined;
  const chosen = await chosenStories(needs, [argument, selected]);
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
    vscode.l10n.t('Pass the move as { storyId: number, place: "before" | "after", targetId: number }.'),
  );
}

interface Target extends vscode.QuickPickItem {
  readonly targetId: number;
}

/**
 * Asks next to which story others go, found by its number or words; a button changes between before and after it.
 * `undefined`: turned away.
 */
function pickSpot(backlog: Backlog, storyIds: readonly number[], first: MovePlace): Promise<Spot | undefined> {
  const pick = vscode.window.createQuickPick<Target>();
  let place = first;
  const show = () => {
    pick.title = titleOf(backlog, storyIds, place);
    pick.buttons = [place === 'before' ? afterButton() : beforeButton()];
  };
  show();
  pick.placeholder = vscode.l10n.t('ID or words of the story to place it next to');
  pick.matchOnDescription = true;
  pick.items = targetsIn(backlog, new Set(storyIds));
  pick.onDidTriggerButton(() => {
    place = place === 'before' ? 'after' : 'before';
    show();
  });
  return new Promise((resolve) => {
    pick.onDidAccept(() => {
      const [chosen] = pick.selectedItems;
      resolve(chosen && { place, targetId: chosen.targetId });
      pick.dispose();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

function titleOf(backlog: Backlog, storyIds: readonly number[], place: MovePlace): string {
  const [first = 0, another] = storyIds;
  const stories = [...backlog.iterations.flatMap((one) => one.stories), ...backlog.icebox];
  const what =
    another === undefined
      ? storyInSentence(
          stories.find(({ id }) => id === first),
          first,
        )
      : vscode.l10n.t('{0} stories', storyIds.length);
  return place === 'before' ? vscode.l10n.t('Move {0} before…', what) : vscode.l10n.t('Move {0} after…', what);
}

const beforeButton = (): vscode.QuickInputButton => ({
  iconPath: new vscode.ThemeIcon('arrow-up'),
  tooltip: vscode.l10n.t('Before It Instead'),
});

const afterButton = (): vscode.QuickInputButton => ({
  iconPath: new vscode.ThemeIcon('arrow-down'),
  tooltip: vscode.l10n.t('After It Instead'),
});

/** Every story that another can be put next to, in priority order, with its number, state and iteration. */
function targetsIn({ iterations, icebox }: Backlog, moved: ReadonlySet<number>): readonly Target[] {
  const targets = (stories: readonly Story[], where: string) =>
    stories
      .filter((story) => isMovable(story) && !moved.has(story.id))
      .map((story) => {
        const item = storyPickItem(story);
        return { ...item, description: `${item.description ?? ''} · ${where}`, targetId: story.id };
      });
  return [
    ...iterations.flatMap(({ number, stories }) => targets(stories, vscode.l10n.t('iteration {0}', number))),
    ...targets(icebox, vscode.l10n.t('icebox')),
  ];
}
