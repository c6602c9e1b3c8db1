import * as vscode from 'vscode';
import type { Backlog } from '../../core/backlog/backlog.ts';
import type { MovePlace } from '../../core/backlog/ordering.ts';
import type { Story } from '../../core/story/story.ts';
import { storyPickItem } from '../../host/story/storyLabel.ts';
import { isMovable } from './movePlan.ts';
import type { Spot } from './spot.ts';
import { storyInSentence } from './storyInSentence.ts';

interface Target extends vscode.QuickPickItem {
  readonly targetId: number;
}

/**
 * Asks next to which story others go, found by its number or words; a button changes between before and after it.
 * `undefined`: turned away.
 */
export function pickSpot(backlog: Backlog, storyIds: readonly number[], first: MovePlace): Promise<Spot | undefined> {
  const pick = vscode.window.createQuickPick<Target>();
  let place = first;
  const show = () => {
    pick.title = titleOf(backlog, storyIds, place);
    pick.buttons = [place === 'before' ? afterButton() : beforeButton()];
  };
  show();
  pick.placeholder = vscode.l10n.t('Number or words of the story to put it next to');
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
