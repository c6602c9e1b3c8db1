import type { Backlog } from '../../core/backlog.ts';
import type { Project } from '../../core/project.ts';
import {
  IterationNode,
  MoreNode,
  NoticeNode,
  type ProjectKey,
  ProjectNode,
  StoryNode,
  type TreeNode,
} from '../../host/nodes.ts';
import { detailOf } from './detail.ts';
import { groupsOf } from './groups.ts';
import { groupId, projectId } from './nodeId.ts';
import { acceptedPoints, totalPoints } from './points.ts';
import { Rows } from './rows.ts';
import { sameValue } from './sameValue.ts';

/** Where the tree's values come from. */
export interface TreeSource {
  projects(): Promise<readonly { readonly key: ProjectKey; readonly project: Project }[]>;
  /** Reads the backlog when it is not there yet. */
  backlog(key: ProjectKey): Promise<Backlog>;
  peek(key: ProjectKey): Backlog | undefined;
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

  constructor(source: TreeSource, sentenceOf: (error: unknown) => string) {
    this.source = source;
    this.sentenceOf = sentenceOf;
  }

  async childrenOf(node: TreeNode | undefined): Promise<readonly TreeNode[]> {
    const rows = await this.read(node);
    this.handedOut.set(node ?? ROOT, rows);
    return rows;
  }

  parentOf(node: TreeNode): TreeNode | undefined {
    if (node instanceof ProjectNode) return undefined;
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
    return (this.handedOut.get(ROOT)?.indexOf(row) ?? 0) < OPEN_AT_FIRST;
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
      if (!(row instanceof IterationNode)) continue;
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
    if (!(node instanceof IterationNode)) return [];
    return isDoneGroup(node) ? this.belowDone(node) : node.stories.map((story) => this.rows.story(node, story));
  }

  private belowProject({ key }: ProjectNode): readonly TreeNode[] {
    const backlog = this.source.peek(key);
    if (!backlog) return [];
    const { current, backlog: planned, done, icebox } = groupsOf(backlog);
    const finished = { kind: 'done', iteration: undefined, stories: done.flatMap(({ stories }) => stories) } as const;
    const shown = [...current, ...planned, ...(done.length > 0 ? [finished] : []), icebox];
    return shown.map((group) => this.rows.iteration(key, group));
  }

  private belowDone(row: IterationNode): readonly TreeNode[] {
    const backlog = this.source.peek(row.key);
    const done = backlog ? groupsOf(backlog).done : [];
    const rows = done.map((group) => this.rows.iteration(row.key, group));
    const oldest = done.at(-1)?.iteration?.number ?? 1;
    return oldest > 1 ? [...rows, this.rows.more(row)] : rows;
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
    if (node instanceof ProjectNode) return { ...node.project, lastActivityAt: undefined };
    if (node instanceof StoryNode) return node.story;
    if (node instanceof NoticeNode) return node.text;
    if (node instanceof MoreNode) return true;
    if (!(node instanceof IterationNode)) return detailOf(node);
    const { group, iteration, stories } = node;
    return {
      ...{ group, ...(iteration && { ...iteration, stories: undefined }) },
      ...{
        points: totalPoints(stories),
        accepted: acceptedPoints(stories),
        stories: stories.length,
        velocity: this.projectOf(node.key)?.currentVelocity,
      },
      done: isDoneGroup(node) ? this.doneCount(node.key) : undefined,
    };
  }
}

/** The row that holds all done iterations. */
function isDoneGroup(node: TreeNode): boolean {
  return node instanceof IterationNode && node.group === 'done' && node.iteration === undefined;
}

function sameRows(before: readonly TreeNode[], now: readonly TreeNode[]): boolean {
  return before.length === now.length && before.every((row, index) => row === now[index]);
}
