import type { Backlog } from '../../core/backlog.ts';
import type { Project } from '../../core/project.ts';
import type { Story } from '../../core/story.ts';
import {
  type Grouping,
  GroupNode,
  IterationNode,
  MoreNode,
  NoticeNode,
  type ProjectKey,
  ProjectNode,
  StoryNode,
  type TreeNode,
} from '../../host/nodes.ts';
import { detailOf } from './detail.ts';
import { filteredGroups } from './filteredGroups.ts';
import { filteredStoryGroups, groupedStories, type StoryGroup } from './groupedStories.ts';
import { type Group, type Groups, groupsOf } from './groups.ts';
import { groupId, projectId } from './nodeId.ts';
import { acceptedPoints, totalPoints } from './points.ts';
import { Rows } from './rows.ts';
import { sameValue } from './sameValue.ts';
import { type TreeShape, wholeTree } from './treeShape.ts';

/** Where the tree's values come from. */
export interface TreeSource {
  projects(): Promise<readonly { readonly key: ProjectKey; readonly project: Project }[]>;
  /** Reads the backlog when it is not there yet; its current iteration is enough. */
  backlog(key: ProjectKey): Promise<Backlog>;
  peek(key: ProjectKey): Backlog | undefined;
}

export interface StoryCount {
  readonly shown: number;
  readonly total: number;
}

/** Projects that are read without being asked for; one opens the others as one needs them. */
const OPEN_AT_FIRST = 3;

/** Stands for the row above all projects. */
const ROOT = {};

/** The story tree without VS Code: rows are made when asked for, kept while shown, compared when values change. */
export class StoryTree {
  private readonly source: TreeSource;
  private readonly sentenceOf: (error: unknown) => string;
  private readonly rows = new Rows();
  /** What was last handed out below each row; nothing for rows that were never expanded. */
  private readonly handedOut = new WeakMap<TreeNode | typeof ROOT, readonly TreeNode[]>();
  /** What each row looked like when it was last painted. */
  private readonly painted = new WeakMap<TreeNode, unknown>();

  private groups = new WeakMap<Backlog, Groups>();
  private counts = new WeakMap<Backlog, StoryCount>();
  private storyGroups = new WeakMap<Backlog, readonly StoryGroup[]>();
  private _shape: TreeShape = wholeTree;

  constructor(source: TreeSource, sentenceOf: (error: unknown) => string) {
    this.source = source;
    this.sentenceOf = sentenceOf;
  }

  get shape(): TreeShape {
    return this._shape;
  }

  /** All rows are to be painted again afterwards. */
  set shape(shape: TreeShape) {
    this._shape = shape;
    this.groups = new WeakMap();
    this.storyGroups = new WeakMap();
    this.counts = new WeakMap();
  }

  async childrenOf(node: TreeNode | undefined): Promise<readonly TreeNode[]> {
    const rows = await this.read(node);
    this.handedOut.set(node ?? ROOT, rows);
    return rows;
  }

  parentOf(node: TreeNode): TreeNode | undefined {
    if (node instanceof ProjectNode) return undefined;
    if (node instanceof GroupNode) return this.rows.get(projectId(node.key));
    if (!(node instanceof IterationNode)) return node.parent;
    const isOneOfDone = node.group === 'done' && node.iteration !== undefined;
    return this.rows.get(isOneOfDone ? groupId(node.key, 'done') : projectId(node.key));
  }

  /** To be told whenever a row is painted, so that it is painted again only when it looks otherwise. */
  noticePainted(node: TreeNode): void {
    this.painted.set(node, this.look(node));
  }

  /** The project as last read; its velocity and members give rows their meaning. */
  projectOf(key: ProjectKey): Project | undefined {
    return this.source.peek(key)?.project;
  }

  /** Whether a project's row opens by itself. */
  isOpenAtFirst(row: ProjectNode): boolean {
    return this.shape.filter !== undefined || (this.handedOut.get(ROOT)?.indexOf(row) ?? 0) < OPEN_AT_FIRST;
  }

  /** How many stories a filter leaves of those that it looks at; `undefined` while the project is not read or not filtered. */
  countIn(key: ProjectKey): StoryCount | undefined {
    const backlog = this.shape.filter && this.source.peek(key);
    if (!backlog) return undefined;
    const count = this.counts.get(backlog) ?? this.counted(key, backlog);
    this.counts.set(backlog, count);
    return count;
  }

  private counted(key: ProjectKey, backlog: Backlog): StoryCount {
    const { current, backlog: planned, done, icebox } = this.groupsIn(key, backlog);
    const all = groupsOf(backlog);
    const looked = [...all.current, ...all.backlog, ...(this.showsDone(backlog, all.done) ? all.done : []), all.icebox];
    return { shown: storiesIn([...current, ...planned, ...done, icebox]), total: storiesIn(looked) };
  }

  /** How many done iterations are loaded. */
  doneCount(key: ProjectKey): number {
    return this.source.peek(key)?.done.length ?? 0;
  }

  /** The rows to paint again, with all below them, after a project's backlog changed. None when nothing did. */
  changesIn(key: ProjectKey): readonly TreeNode[] {
    const row = this.rows.get(projectId(key));
    const backlog = this.source.peek(key);
    if (!(row instanceof ProjectNode) || !backlog) return [];
    row.project = backlog.project;
    return this.changesAt(row);
  }

  /** As `changesIn`, after the list of projects changed; `all` when projects came, went or changed places. */
  async changesInProjects(): Promise<readonly TreeNode[] | 'all'> {
    const before = this.handedOut.get(ROOT);
    if (!before) return 'all';
    const now = await this.read(undefined);
    return sameRows(before, now) ? now.filter((row) => this.looksOtherwise(row)) : 'all';
  }

  /** The row of a story that is among those loaded. */
  async findStory(key: ProjectKey, storyId: number): Promise<StoryNode | undefined> {
    await this.read(undefined);
    const project = this.rows.get(projectId(key));
    if (!project) return undefined;
    const groups = await this.read(project);
    const iterations = groups.flatMap((row) => (isDoneGroup(row) ? this.below(row) : [row]));
    for (const row of iterations) {
      if (!(row instanceof IterationNode || row instanceof GroupNode)) continue;
      const story = row.stories.find(({ id }) => id === storyId);
      if (story) return this.rows.story(row, story);
    }
    return undefined;
  }

  private async read(node: TreeNode | undefined): Promise<readonly TreeNode[]> {
    if (!node) return (await this.source.projects()).map(({ key, project }) => this.rows.project(key, project));
    if (!(node instanceof ProjectNode)) return this.below(node);
    try {
      await this.source.backlog(node.key);
      return this.below(node);
    } catch (thrown) {
      return [this.rows.notice(node, this.sentenceOf(thrown))];
    }
  }

  private below(node: TreeNode): readonly TreeNode[] {
    if (node instanceof ProjectNode) return this.belowProject(node);
    if (node instanceof StoryNode) return this.rows.details(node);
    if (node instanceof GroupNode) return node.stories.map((story) => this.rows.story(node, story));
    if (!(node instanceof IterationNode)) return [];
    return isDoneGroup(node) ? this.belowDone(node) : node.stories.map((story) => this.rows.story(node, story));
  }

  private belowProject(row: ProjectNode): readonly TreeNode[] {
    const { key } = row;
    const backlog = this.source.peek(key);
    if (!backlog) return [];
    const known = this.known(row, backlog);
    if (!backlog.missing) return known;
    const { error } = backlog.missing;
    return [...known, this.rows.notice(row, error === undefined ? undefined : this.sentenceOf(error))];
  }

  private known(row: ProjectNode, backlog: Backlog): readonly TreeNode[] {
    const { key } = row;
    const { groupBy } = this.shape;
    if (groupBy !== 'iteration') return this.belowGrouped(row, backlog, groupBy);
    const { current, backlog: planned, done, icebox } = this.groupsIn(key, backlog);
    const hidesIcebox = backlog.missing ?? this.shape.filter;
    const kept = hidesIcebox && icebox.stories.length === 0 ? [] : [icebox];
    const shown = [...current, ...planned, ...(this.showsDone(backlog, done) ? [together(done)] : []), ...kept];
    return shown.map((group) => this.rows.iteration(key, group));
  }

  private belowGrouped(row: ProjectNode, backlog: Backlog, by: Grouping): readonly TreeNode[] {
    const known = this.storyGroups.get(backlog) ?? this.storyGroupsIn(row.key, backlog, by);
    this.storyGroups.set(backlog, known);
    const rows = known.map((group) => this.rows.group(row.key, group));
    const hidesDone = this.shape.filter?.hidesDone === true;
    return hasOlder(backlog) && !hidesDone ? [...rows, this.rows.more(row)] : rows;
  }

  private storyGroupsIn(key: ProjectKey, backlog: Backlog, by: Grouping): readonly StoryGroup[] {
    const { filter } = this.shape;
    const { current, backlog: planned, icebox, done } = groupsOf(backlog);
    const shown = [...current, ...planned, icebox, ...(filter?.hidesDone ? [] : done)];
    const all = shown.flatMap(({ stories }) => stories);
    return filter ? filteredStoryGroups(all, by, (story) => filter.passes(key, story)) : groupedStories(all, by);
  }

  private belowDone(row: IterationNode): readonly TreeNode[] {
    const backlog = this.source.peek(row.key);
    if (!backlog) return [];
    const rows = this.groupsIn(row.key, backlog).done.map((group) => this.rows.iteration(row.key, group));
    return hasOlder(backlog) ? [...rows, this.rows.more(row)] : rows;
  }

  private groupsIn(key: ProjectKey, backlog: Backlog): Groups {
    const known = this.groups.get(backlog);
    if (known) return known;
    const { filter } = this.shape;
    const all = groupsOf(backlog);
    const passes = (story: Story) => filter?.passes(key, story) === true;
    const groups = filter ? filteredGroups(all, { passes, hidesDone: filter.hidesDone }) : all;
    this.groups.set(backlog, groups);
    return groups;
  }

  /** With a filter also when nothing fits yet: older ones can be asked for below. */
  private showsDone(backlog: Backlog, done: readonly Group[]): boolean {
    const { filter } = this.shape;
    return filter ? backlog.done.length > 0 && !filter.hidesDone : done.length > 0;
  }

  private changesAt(row: TreeNode): readonly TreeNode[] {
    if (this.looksOtherwise(row)) return [row];
    const before = this.handedOut.get(row);
    if (!before) return [];
    const now = this.below(row);
    return sameRows(before, now) ? now.flatMap((child) => this.changesAt(child)) : [row];
  }

  private looksOtherwise(row: TreeNode): boolean {
    return !sameValue(this.painted.get(row), this.look(row));
  }

  /** All that a row shows, hover included. */
  private look(node: TreeNode): unknown {
    if (node instanceof ProjectNode) {
      return { ...node.project, lastActivityAt: undefined, count: this.countIn(node.key) };
    }
    if (node instanceof StoryNode) return node.story;
    if (node instanceof NoticeNode) return { text: node.text };
    if (node instanceof MoreNode) return true;
    if (node instanceof GroupNode) return lookOfGroup(node);
    if (!(node instanceof IterationNode)) return detailOf(node);
    const { group, iteration, stories, total } = node;
    return {
      ...{ group, ...(iteration && { ...iteration, stories: undefined }) },
      ...{
        points: totalPoints(stories),
        accepted: acceptedPoints(stories),
        stories: stories.length,
        total,
        velocity: this.projectOf(node.key)?.currentVelocity,
      },
      done: isDoneGroup(node) ? this.doneCount(node.key) : undefined,
    };
  }
}

function lookOfGroup({ stories, total }: GroupNode): unknown {
  return { stories: stories.length, points: totalPoints(stories), total };
}

/** Whether there are done iterations that have not been read. */
function hasOlder({ done }: Backlog): boolean {
  return (done[0]?.number ?? 1) > 1;
}

function storiesIn(groups: readonly Group[]): number {
  return groups.reduce((sum, { stories }) => sum + stories.length, 0);
}

function together(done: readonly Group[]): Group {
  const isFiltered = done.some(({ total }) => total !== undefined);
  return {
    kind: 'done',
    iteration: undefined,
    stories: done.flatMap(({ stories }) => stories),
    ...(isFiltered ? { total: done.reduce((sum, { total }) => sum + (total ?? 0), 0) } : {}),
  };
}

/** The row that holds all done iterations. */
function isDoneGroup(node: TreeNode): boolean {
  return node instanceof IterationNode && node.group === 'done' && node.iteration === undefined;
}

function sameRows(before: readonly TreeNode[], now: readonly TreeNode[]): boolean {
  return before.length === now.length && before.every((row, index) => row === now[index]);
}
