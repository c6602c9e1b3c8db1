import {
  DetailNode,
  DoneSearchNode,
  type Grouping,
  GroupNode,
  IterationNode,
  keyText,
  MoreNode,
  NoticeNode,
  type ProjectKey,
  ProjectNode,
  SavedFilterNode,
  type StoryNode,
  type TreeNode,
} from '../../../host/tree/nodes.ts';

export const projectId = (key: ProjectKey) => `project/${keyText(key)}`;
export const storyId = (key: ProjectKey, id: number) => `story/${keyText(key)}/${id}`;
export const iterationId = (key: ProjectKey, number: number) => `iteration/${keyText(key)}/${number}`;
export const groupId = (key: ProjectKey, group: 'done' | 'icebox') => `${group}/${keyText(key)}`;
export const storyGroupId = (key: ProjectKey, by: Grouping, value: string | undefined) =>
  `group/${keyText(key)}/${by}/${value === undefined ? 'none' : `is ${value}`}`;
export const savedFilterId = (name: string) => `saved/${name}`;
export const detailId = (story: StoryNode, kind: DetailNode['kind'], id: number) => `${kind}/${nodeId(story)}/${id}`;
const below = (parent: TreeNode, what: string): string => `${what}/${nodeId(parent)}`;

/** A name for a row that no other row has and that stays when the tree is read again; a story keeps it when it moves. */
export function nodeId(node: TreeNode): string {
  if (node instanceof ProjectNode) return projectId(node.key);
  if (node instanceof IterationNode) return iterationNodeId(node);
  if (node instanceof DetailNode) return detailId(node.parent, node.kind, node.id);
  if (node instanceof SavedFilterNode) return savedFilterId(node.name);
  if (node instanceof DoneSearchNode) return below(node.parent, 'search');
  if (node instanceof MoreNode) return below(node.parent, 'more');
  if (node instanceof NoticeNode) return below(node.parent, 'notice');
  if (node instanceof GroupNode) return storyGroupId(node.key, node.by, node.value);
  return storyIdBelow(node.parent, node.key, node.story.id);
}

/** Only with labels is a story in several groups; else it keeps its name when it comes into another. */
export function storyIdBelow(parent: StoryNode['parent'], key: ProjectKey, id: number): string {
  const isOneOfSeveral = parent instanceof SavedFilterNode || (parent instanceof GroupNode && parent.by === 'label');
  return isOneOfSeveral ? `${storyId(key, id)}/${nodeId(parent)}` : storyId(key, id);
}

function iterationNodeId({ key, group, iteration }: IterationNode): string {
  return iteration ? iterationId(key, iteration.number) : groupId(key, group === 'done' ? 'done' : 'icebox');
}
