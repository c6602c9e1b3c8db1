import * as vscode from 'vscode';
import { type Backlog, orderOf } from '../../core/backlog/backlog.ts';
import { dropPlace } from '../../core/backlog/ordering.ts';
import { TrackerError } from '../../core/errors.ts';
import { isSameProject } from '../../core/story/projectKey.ts';
import { DetailNode, IterationNode, StoryNode, type TreeNode } from '../../host/tree/nodes.ts';
import { inOrder, type MovePlan, movableIn, planInto, planNextTo } from './movePlan.ts';
import { type MoveNeeds, moveStories, ofOneProject } from './moveStories.ts';
import { topOf } from './spots.ts';

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
    return planNextTo(backlog, storyIds, { place: dropPlace(orderOf(backlog), storyIds, targetId), targetId });
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
