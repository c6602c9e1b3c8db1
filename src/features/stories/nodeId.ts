import {
  DetailNode,
  IterationNode,
  keyText,
  MoreNode,
  NoticeNode,
  type ProjectKey,
  ProjectNode,
  type StoryNode,
  type TreeNode,
} from '../../host/nodes.ts';

export const projectId = (key: ProjectKey) => `project/${keyText(key)}`;
export const storyId = (key: ProjectKey, id: number) => `story/${keyText(key)}/${id}`;
export const iterationId = (key: ProjectKey, number: number) => `iteration/${keyText(key)}/${number}`;
export const groupId = (key: ProjectKey, group: 'done' | 'icebox') => `${group}/${keyText(key)}`;
export const detailId = ({ key, story }: StoryNode, kind: DetailNode['kind'], id: number) =>
  `${kind}/${keyText(key)}/${story.id}/${id}`;
const below = (parent: TreeNode, what: string): string => `${what}/${nodeId(parent)}`;

/** A name for a row that no other row has and that stays when the tree is read again; a story keeps it when it moves. */
export function nodeId(node: TreeNode): string {
  if (node instanceof ProjectNode) return projectId(node.key);
  if (node instanceof IterationNode) return iterationNodeId(node);
  if (node instanceof DetailNode) return detailId(node.parent, node.kind, node.id);
  if (node instanceof MoreNode) return below(node.parent, 'more');
  if (node instanceof NoticeNode) return below(node.parent, 'notice');
  return storyId(node.key, node.story.id);
}

function iterationNodeId({ key, group, iteration }: IterationNode): string {
  return iteration ? iterationId(key, iteration.number) : groupId(key, group === 'done' ? 'done' : 'icebox');
}
