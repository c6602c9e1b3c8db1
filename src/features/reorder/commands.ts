import * as vscode from 'vscode';
import { type Backlog, orderOf } from '../../core/backlog/backlog.ts';
import { dropPlace, type MovePlace } from '../../core/backlog/ordering.ts';
import { TrackerError } from '../../core/errors.ts';
import { isPendingStory } from '../../core/intents/edit.ts';
import type { Spot } from '../../core/moves/fewestMoves.ts';
import {
  areaOf,
  inOrder,
  isMovable,
  type MovePlan,
  movableIn,
  planInto,
  planNextTo,
} from '../../core/moves/movePlan.ts';
import { shownPlace } from '../../core/moves/newPlaces.ts';
import { isSameProject } from '../../core/story/projectKey.ts';
import type { Story } from '../../core/story/story.ts';
import { isPlainObject } from '../../host/shell/commands.ts';
import { storyPickItem } from '../../host/story/storyLabel.ts';
import { BY_KEY, DetailNode, IterationNode, StoryNode, type TreeNode } from '../../host/tree/nodes.ts';
import { chosenStories, type MoveNeeds, moveMakers, moveStories, ofOneProject } from './moveStories.ts';
import { refusalError, storyInSentence } from './moveTexts.ts';
import { type Direction, spotInDirection, topOf } from './spots.ts';

export { moveMakers };

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
  if (plan) await moveStories(needs, chosen.key, backlog, plan, argument === BY_KEY ? 'byKey' : 'whenSelected');
  else needs.messages.status(atEndText(direction));
}

/** `undefined` when they are at that end already. @throws TrackerError when they cannot be moved. */
export function planInDirection(
  backlog: Backlog,
  storyIds: readonly number[],
  direction: Direction,
): MovePlan | undefined {
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
  const plan = spot && planInto(backlog, area, storyIds, spot);
  return plan && direction !== 'bottom' ? withIterationOfSpot(backlog, plan) : plan;
}

/** Whoever puts stories next to another expects them in its iteration, and is told where planning has them elsewhere. */
function withIterationOfSpot(backlog: Backlog, plan: MovePlan): MovePlan {
  if ('refusal' in plan || !plan.spot) return plan;
  const place = shownPlace(backlog, plan.spot.targetId);
  return place && 'number' in place ? { ...plan, iteration: place.number } : plan;
}

function atEndText(direction: Direction): string {
  return direction === 'up' || direction === 'top'
    ? vscode.l10n.t('Already at the top.')
    : vscode.l10n.t('Already at the bottom.');
}

/** Puts stories dragged within the tree in order. VS Code shows nothing of what a drop throws, so it is told here. */
export async function dropStories(
  needs: MoveNeeds,
  dragged: readonly StoryNode[],
  target: TreeNode | undefined,
): Promise<void> {
  await drop(needs, dragged, target).catch((thrown) => needs.messages.error(thrown));
}

async function drop(needs: MoveNeeds, dragged: readonly StoryNode[], target: TreeNode | undefined): Promise<void> {
  const chosen = ofOneProject(dragged);
  if (!chosen) return;
  const row = target instanceof DetailNode ? target.parent : target;
  if (!(row instanceof StoryNode || row instanceof IterationNode)) throw notHere();
  if (!isSameProject(row.key, chosen.key)) {
    throw new TrackerError('input', vscode.l10n.t('Stories cannot be moved to another project.'));
  }
  const backlog = await needs.backlogs.backlog(chosen.key);
  const plan = planDrop(backlog, inOrder(backlog, chosen.storyIds), row);
  if (plan) await moveStories(needs, chosen.key, backlog, plan, 'always');
}

/** `undefined` when the stories were dropped on one of themselves. */
function planDrop(
  backlog: Backlog,
  storyIds: readonly number[],
  target: StoryNode | IterationNode,
): MovePlan | undefined {
  if (target instanceof StoryNode) {
    const targetId = target.story.id;
    if (storyIds.includes(targetId)) return undefined;
    const place = dropPlace(orderOf(backlog), storyIds, targetId);
    return withIterationOfSpot(backlog, planNextTo(backlog, storyIds, { place, targetId }));
  }
  return planOnto(backlog, storyIds, target);
}

/** Dropped on an iteration or the icebox, stories come first in it. */
function planOnto(backlog: Backlog, storyIds: readonly number[], { group, iteration }: IterationNode): MovePlan {
  if (group === 'icebox') {
    const first = movableIn(backlog, 'icebox').find((id) => !storyIds.includes(id));
    return planInto(
      backlog,
      'icebox',
      storyIds,
      first === undefined ? undefined : { place: 'before', targetId: first },
    );
  }
  if (group === 'done' || !iteration) throw notHere();
  const plan = planInto(backlog, 'scheduled', storyIds, topOf(backlog, iteration, storyIds));
  return 'refusal' in plan ? plan : { ...plan, iteration: iteration.number };
}

function notHere(): TrackerError {
  return new TrackerError('input', vscode.l10n.t('Drop stories onto a story, an iteration or the icebox.'));
}

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
  await moveStories(needs, chosen.key, now, withIterationOfSpot(now, planNextTo(now, storyIds, spot)));
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
