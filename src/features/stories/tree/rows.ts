import type { Project } from '../../../core/story/project.ts';
import { keyText, type ProjectKey } from '../../../core/story/projectKey.ts';
import type { Story } from '../../../core/story/story.ts';
import {
  DetailNode,
  DoneSearchNode,
  type Grouping,
  GroupNode,
  IterationNode,
  MoreNode,
  NoticeNode,
  ProjectNode,
  SavedFilterNode,
  type SearchProgress,
  StoryNode,
  type TreeNode,
} from '../../../host/tree/nodes.ts';
import type { Group, StoryGroup } from './shownProject.ts';

/** The rows made so far: the same thing always gets the same row, with its newest values in it. */
export class Rows {
  private readonly byId = new Map<string, TreeNode>();

  get(id: string): TreeNode | undefined {
    return this.byId.get(id);
  }

  project(key: ProjectKey, project: Project, account: string | undefined): ProjectNode {
    const row = this.kept(projectId(key), ProjectNode, () => new ProjectNode(key, project, account));
    return Object.assign(row, { project, account });
  }

  iteration(key: ProjectKey, { kind, iteration, stories, total }: Group): IterationNode {
    const id = iteration ? iterationId(key, iteration.number) : groupId(key, kind === 'done' ? 'done' : 'icebox');
    const row = this.kept(id, IterationNode, () => new IterationNode(key, kind, iteration, stories));
    return Object.assign(row, { group: kind, iteration, stories, total });
  }

  group(key: ProjectKey, { by, value, stories, total }: StoryGroup): GroupNode {
    const id = storyGroupId(key, by, value);
    const row = this.kept(id, GroupNode, () => new GroupNode(key, by, value, stories));
    return Object.assign(row, { stories, total });
  }

  savedFilter(name: string, given: Pick<SavedFilterNode, 'text' | 'found' | 'isPartial'>): SavedFilterNode {
    const row = this.kept(savedFilterId(name), SavedFilterNode, () => new SavedFilterNode(name, given.text));
    return Object.assign(row, given);
  }

  story(parent: StoryNode['parent'], key: ProjectKey, story: Story): StoryNode {
    const row = this.kept(storyIdBelow(parent, key, story.id), StoryNode, () => new StoryNode(key, story, parent));
    return Object.assign(row, { story, parent });
  }

  /** The rows of these stories; one has several where stories are grouped by label, and below saved filters. */
  ofStories(stories: readonly (ProjectKey & { readonly storyId: number })[]): readonly StoryNode[] {
    const wanted = new Set(stories.map(({ storyId, ...key }) => `${keyText(key)}/${storyId}`));
    if (wanted.size === 0) return [];
    const isWanted = ({ key, story }: StoryNode) => wanted.has(`${keyText(key)}/${story.id}`);
    return [...new Set(this.byId.values())].filter((row) => row instanceof StoryNode).filter(isWanted);
  }

  /** A story has another number from now on: its rows stay, by the names that VS Code knows them by. */
  renumber(key: ProjectKey, formerId: number, storyId: number): void {
    for (const row of this.ofStories([{ ...key, storyId: formerId }])) {
      firstIds.set(row, firstIds.get(row) ?? formerId);
      this.byId.set(storyIdBelow(row.parent, key, storyId), row);
    }
  }

  /** Tasks, then attachments, then comments with the latest last. */
  details(parent: StoryNode): readonly DetailNode[] {
    const { tasks, attachments, notes } = parent.story;
    const rowsOf = (kind: DetailNode['kind'], parts: readonly { readonly id: number }[]) =>
      [...new Set(parts.map(({ id }) => id))].map((id) => this.detail(parent, kind, id));
    return [...rowsOf('task', tasks), ...rowsOf('attachment', attachments), ...rowsOf('note', notes)];
  }

  more(parent: MoreNode['parent']): MoreNode {
    return this.kept(`more/${nodeId(parent)}`, MoreNode, () => new MoreNode(parent.key, parent));
  }

  doneSearch(parent: DoneSearchNode['parent'], progress: SearchProgress): DoneSearchNode {
    const row = this.kept(`search/${nodeId(parent)}`, DoneSearchNode, () => new DoneSearchNode(parent));
    return Object.assign(row, { progress });
  }

  notice(
    parent: NoticeNode['parent'],
    text: string | undefined,
    { isQuiet = false, action, account }: Partial<Pick<NoticeNode, 'isQuiet' | 'action' | 'account'>> = {},
  ): NoticeNode {
    const id = noticeId({ parent, action, account });
    const row = this.kept(id, NoticeNode, () => new NoticeNode(parent, text));
    return Object.assign(row, { text, isQuiet, action, account });
  }

  private detail(parent: StoryNode, kind: DetailNode['kind'], id: number): DetailNode {
    return this.kept(detailId(parent, kind, id), DetailNode, () => new DetailNode(parent, kind, id));
  }

  private kept<T extends TreeNode>(id: string, type: new (...args: never) => T, make: () => T): T {
    const row = this.byId.get(id);
    if (row instanceof type) return row;
    const made = make();
    this.byId.set(id, made);
    return made;
  }
}

export const projectId = (key: ProjectKey) => `project/${keyText(key)}`;
const storyId = (key: ProjectKey, id: number) => `story/${keyText(key)}/${id}`;
const iterationId = (key: ProjectKey, number: number) => `iteration/${keyText(key)}/${number}`;
export const groupId = (key: ProjectKey, group: 'done' | 'icebox') => `${group}/${keyText(key)}`;
const storyGroupId = (key: ProjectKey, by: Grouping, value: string | undefined) =>
  `group/${keyText(key)}/${by}/${value === undefined ? 'none' : `is ${value}`}`;
const savedFilterId = (name: string) => `saved/${name}`;
const detailId = (story: StoryNode, kind: DetailNode['kind'], id: number) => `${kind}/${nodeId(story)}/${id}`;
const below = (parent: TreeNode, what: string): string => `${what}/${nodeId(parent)}`;

/** A name for a row that no other row has and that stays when the tree is read again; a story keeps it when it moves. */
function noticeId({ parent, action, account }: Pick<NoticeNode, 'parent' | 'action' | 'account'>): string {
  return parent ? `notice/${nodeId(parent)}` : ['notice/', action, account?.id].filter(Boolean).join('/');
}

export function nodeId(node: TreeNode): string {
  if (node instanceof ProjectNode) return projectId(node.key);
  if (node instanceof IterationNode) return iterationNodeId(node);
  if (node instanceof DetailNode) return detailId(node.parent, node.kind, node.id);
  if (node instanceof SavedFilterNode) return savedFilterId(node.name);
  if (node instanceof DoneSearchNode) return below(node.parent, 'search');
  if (node instanceof MoreNode) return below(node.parent, 'more');
  if (node instanceof NoticeNode) return noticeId(node);
  if (node instanceof GroupNode) return storyGroupId(node.key, node.by, node.value);
  return storyIdBelow(node.parent, node.key, firstIds.get(node) ?? node.story.id);
}

/** By which number rows are called whose stories have another one since they were made. */
const firstIds = new WeakMap<StoryNode, number>();

/** Only with labels is a story in several groups; else it keeps its name when it comes into another. */
function storyIdBelow(parent: StoryNode['parent'], key: ProjectKey, id: number): string {
  const isOneOfSeveral = parent instanceof SavedFilterNode || (parent instanceof GroupNode && parent.by === 'label');
  return isOneOfSeveral ? `${storyId(key, id)}/${nodeId(parent)}` : storyId(key, id);
}

function iterationNodeId({ key, group, iteration }: IterationNode): string {
  return iteration ? iterationId(key, iteration.number) : groupId(key, group === 'done' ? 'done' : 'icebox');
}

/** Whether two plain values (text, numbers, lists, objects of such) say the same. Written for long lists of them. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (!isObject(a) || !isObject(b)) return false;
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && sameLists(a, b);
  return sameFields(a, b);
}

interface Fields {
  readonly [key: string]: unknown;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function sameFields(a: Fields, b: Fields): boolean {
  let more = 0;
  for (const key in a) {
    if (!sameValue(a[key], b[key]) || !(key in b)) return false;
    more++;
  }
  for (const _ in b) more--;
  return more === 0;
}

function sameLists(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => sameValue(item, b[index]));
}
