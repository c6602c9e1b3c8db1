import {
  DoneSearchNode,
  GroupNode,
  IterationNode,
  MoreNode,
  NoticeNode,
  ProjectNode,
  SavedFilterNode,
  StoryNode,
  type TreeNode,
} from '../../../host/tree/nodes.ts';
import { detailOf } from './detail.ts';
import { acceptedPoints, totalPoints } from './points.ts';
import type { ShownProject } from './shownProject.ts';

/** All that a row shows, hover included, to be compared with what it shows later. */
export function rowLook(
  node: TreeNode,
  shownOf: (key: ProjectNode['key']) => ShownProject | undefined,
  isActive: (node: StoryNode) => boolean,
): unknown {
  if (node instanceof StoryNode) return isActive(node) ? { active: node.story } : node.story;
  if (node instanceof ProjectNode) {
    // Who works there gives stories the letters of their owners.
    const { name, account, currentVelocity, memberships } = node.project;
    return { name, account, currentVelocity, memberships, count: shownOf(node.key)?.count };
  }
  if (node instanceof NoticeNode) return { text: node.text };
  if (node instanceof MoreNode) return true;
  if (node instanceof DoneSearchNode) return node.progress;
  if (node instanceof SavedFilterNode) return { text: node.text, found: node.found.length, isPartial: node.isPartial };
  if (node instanceof GroupNode) return lookOfGroup(node);
  return node instanceof IterationNode ? lookOfIteration(node, shownOf(node.key)) : detailOf(node);
}

function lookOfGroup({ stories, total }: GroupNode): unknown {
  return { stories: stories.length, points: totalPoints(stories), total };
}

function lookOfIteration(node: IterationNode, shown: ShownProject | undefined): unknown {
  const { group, iteration, stories, total } = node;
  return {
    ...{ group, ...(iteration && { ...iteration, stories: undefined }) },
    ...{ points: totalPoints(stories), accepted: acceptedPoints(stories), stories: stories.length, total },
    velocity: shown?.backlog.project.currentVelocity,
    done: isDoneGroup(node) ? shown?.backlog.done.length : undefined,
  };
}

/** The row that holds all done iterations. */
export function isDoneGroup(node: TreeNode): boolean {
  return node instanceof IterationNode && node.group === 'done' && node.iteration === undefined;
}
