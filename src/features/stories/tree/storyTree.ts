import { type Backlog, findStory, storiesOf } from '../../../core/backlog/backlog.ts';
import type { Project } from '../../../core/story/project.ts';
import { keyText, type ProjectKey } from '../../../core/story/projectKey.ts';
import { type Steps, stepwise } from '../../../host/shell/turnBudget.ts';
import { NumberedStories } from '../../../host/story/newStories.ts';
import {
  type DoneSearchNode,
  GroupNode,
  IterationNode,
  type NoticeAccount,
  ProjectNode,
  SavedFilterNode,
  StoryNode,
  type TreeNode,
} from '../../../host/tree/nodes.ts';
import { groupId, projectId, Rows, sameValue } from './rows.ts';
import { isDoneGroup, RowsBelow, rowLook, SavedFilterRows, type TreeTexts } from './rowsBelow.ts';
import type { ShownProject, StoryCount } from './shownProject.ts';
import { ShownProjects } from './shownProjects.ts';
import type { TreeFilter } from './treeFilter.ts';
import type { TreeShape } from './treeShape.ts';

interface ListedProject {
  readonly key: ProjectKey;
  readonly project: Project;
  /** Whose it is; rows say so where there are several sign-ins, or several projects have the same name. */
  readonly account?: { readonly label: string };
}

/** Where the tree's values come from. */
interface TreeSource {
  projects(): Promise<readonly ListedProject[]>;
  /** Reads the backlog when it is not there yet; its current iteration is enough. */
  backlog(key: ProjectKey): Promise<Backlog>;
  peek(key: ProjectKey): Backlog | undefined;
  /** How many projects there are besides; none when nothing is said. */
  hiddenProjects?(): number;
  /** Whose servers do not accept the sign-in any more; none when nothing is said. */
  signedOut?(): readonly NoticeAccount[];
  /** That the projects of a server could not be read; nothing when they were, or when a server was only signed out of. */
  unread?(): string | undefined;
  isPinned?(key: ProjectKey): boolean;
  /** Whether the story is worked on. */
  isActive?(key: ProjectKey, storyId: number): boolean;
}

/** Projects that are read without being asked for; one opens the others as one needs them. */
const OPEN_AT_FIRST = 3;

/** Stands for the row above all projects. */
const ROOT = {};

/** The story tree without VS Code: rows are made when asked for, kept while shown, compared when values change. */
export class StoryTree {
  private readonly source: TreeSource;
  private readonly texts: TreeTexts;
  private readonly shown: ShownProjects;
  private readonly rows = new Rows();
  private readonly below: RowsBelow;
  private readonly saved: SavedFilterRows;
  /** What was last handed out below each row; nothing for rows that were never expanded. */
  private readonly handedOut = new WeakMap<TreeNode | typeof ROOT, readonly TreeNode[]>();
  /** What each row looked like when it was last painted. */
  private readonly painted = new WeakMap<TreeNode, unknown>();
  /** What was shown of each project when its rows were last compared: others than `changesIn` work it out too. */
  private readonly compared = new Map<string, ShownProject>();
  /** By project. */
  private readonly numbers = new Map<string, NumberedStories>();
  private keys: readonly ProjectKey[] = [];
  /** Why projects could not be read, by row. */
  private readonly problems = new WeakMap<TreeNode, string>();

  constructor(source: TreeSource, texts: TreeTexts) {
    this.source = source;
    this.texts = texts;
    this.shown = new ShownProjects(
      (key) => source.peek(key),
      (key, backlog) => this.noticeNumbers(key, backlog),
    );
    const shownOf = (key: ProjectKey) => this.shown.get(key);
    this.below = new RowsBelow(this.rows, shownOf, texts);
    this.saved = new SavedFilterRows(this.rows, this.below, shownOf, texts);
  }

  get shape(): TreeShape {
    return this.shown.shape;
  }

  /** All rows are to be painted again afterwards; `false` when another shape came in the meantime. */
  async reshape(shape: TreeShape): Promise<boolean> {
    return this.shown.reshape(shape, await this.readKeys());
  }

  async childrenOf(node: TreeNode | undefined): Promise<readonly TreeNode[]> {
    const rows = await this.read(node);
    this.handedOut.set(node ?? ROOT, rows);
    return rows;
  }

  parentOf(node: TreeNode): TreeNode | undefined {
    if (node instanceof ProjectNode || node instanceof SavedFilterNode) return undefined;
    if (node instanceof GroupNode) return this.rows.get(projectId(node.key));
    if (!(node instanceof IterationNode)) return node.parent;
    const isOneOfDone = node.group === 'done' && node.iteration !== undefined;
    return this.rows.get(isOneOfDone ? groupId(node.key, 'done') : projectId(node.key));
  }

  /** The row of this name, if it was ever made. */
  row(id: string): TreeNode | undefined {
    return this.rows.get(id);
  }

  /** Whether the row is among those last handed out, and its story is there still. */
  has(row: TreeNode): boolean {
    if (!this.handedOut.get(this.parentOf(row) ?? ROOT)?.includes(row)) return false;
    if (!(row instanceof StoryNode)) return true;
    const backlog = this.shown.get(row.key)?.backlog;
    return backlog !== undefined && findStory(backlog, row.story.id) !== undefined;
  }

  /** To be told whenever a row is painted, so that it is painted again only when it looks otherwise. */
  noticePainted(node: TreeNode): void {
    this.painted.set(node, this.look(node));
  }

  /** The project as last read; its velocity and members give rows their meaning. */
  projectOf(key: ProjectKey): Project | undefined {
    return this.shown.get(key)?.backlog.project;
  }

  /** Whether a project's row opens by itself. */
  isOpenAtFirst(row: ProjectNode): boolean {
    return this.shape.filter !== undefined || (this.handedOut.get(ROOT)?.indexOf(row) ?? 0) < OPEN_AT_FIRST;
  }

  /** How many stories a filter leaves of those that it looks at; `undefined` while the project is not read or not filtered. */
  countIn(key: ProjectKey): StoryCount | undefined {
    return this.shown.get(key)?.count;
  }

  /** How many done iterations are loaded. */
  doneCount(key: ProjectKey): number {
    return this.shown.get(key)?.backlog.done.length ?? 0;
  }

  /** The rows to paint again, with all below them, after a project's backlog changed. None when nothing did. */
  async changesIn(key: ProjectKey): Promise<readonly TreeNode[]> {
    await this.shown.prepare(key);
    const row = this.rows.get(projectId(key));
    const shown = this.shown.get(key);
    if (!shown) return [];
    const before = this.compared.get(keyText(key));
    this.compared.set(keyText(key), shown);
    const changes: TreeNode[] = [];
    if (row instanceof ProjectNode) {
      row.project = shown.backlog.project;
      if (shown !== before || !this.handedOut.has(row) || this.shape.filter) changes.push(...(await this.changed(row)));
    }
    for (const saved of this.savedRows()) changes.push(...(await this.changed(saved)));
    return changes;
  }

  /** As `changesIn`, after the list of projects changed; `all` when projects came, went or changed places. */
  async changesInProjects(): Promise<readonly TreeNode[] | 'all'> {
    const before = this.handedOut.get(ROOT);
    if (!before) return 'all';
    const now = await this.read(undefined);
    return sameRows(before, now) ? now.filter((row) => this.looksOtherwise(row)) : 'all';
  }

  /** The rows of these stories that look otherwise than when they were painted. */
  changedRowsOf(stories: readonly (ProjectKey & { readonly storyId: number })[]): readonly TreeNode[] {
    const rows = this.rows.ofStories(stories);
    return rows.filter((row) => this.painted.has(row) && this.looksOtherwise(row));
  }

  isPinned(key: ProjectKey): boolean {
    return this.source.isPinned?.(key) === true;
  }

  /** Whether a row's story is worked on. */
  isActive({ key, story }: StoryNode): boolean {
    return this.source.isActive?.(key, story.id) === true;
  }

  /** The row of a story below its project, when it is among those loaded. */
  async findStory(key: ProjectKey, storyId: number): Promise<StoryNode | undefined> {
    await this.read(undefined);
    const project = this.rows.get(projectId(key));
    if (!project) return undefined;
    const groups = await this.read(project);
    for (const row of groups) {
      const found = isDoneGroup(row) ? await this.findDone(row, storyId) : this.findIn(row, storyId);
      if (found) return found;
    }
    return undefined;
  }

  /** The projects whose done iterations a row offers to search. */
  searchedBy(row: DoneSearchNode): readonly ProjectKey[] {
    if (!(row.parent instanceof SavedFilterNode)) return [row.parent.key];
    const filter = this.filterOf(row);
    return this.keys.filter((key) => {
      const project = this.projectOf(key);
      return project !== undefined && filter?.includes(project) === true;
    });
  }

  /** The filter that a row offers to search with; `undefined` once it is another. */
  filterOf({ parent }: DoneSearchNode): TreeFilter | undefined {
    if (!(parent instanceof SavedFilterNode)) return this.shape.filter;
    const filter = this.shape.saved.find(({ name }) => name === parent.name)?.filter;
    return typeof filter === 'object' ? filter : undefined;
  }

  /** A row that is selected or has the focus keeps both. */
  private noticeNumbers(key: ProjectKey, backlog: Backlog): void {
    const text = keyText(key);
    const numbers = this.numbers.get(text) ?? new NumberedStories();
    this.numbers.set(text, numbers);
    for (const { formerId, storyId } of numbers.update(storiesOf(backlog))) this.rows.renumber(key, formerId, storyId);
  }

  private async findDone(row: TreeNode, storyId: number): Promise<StoryNode | undefined> {
    const below = await this.read(row);
    return below.map((one) => this.findIn(one, storyId)).find((one) => one);
  }

  private findIn(row: TreeNode, storyId: number): StoryNode | undefined {
    if (row instanceof StoryNode) return row.story.id === storyId ? row : undefined;
    if (!(row instanceof IterationNode || row instanceof GroupNode)) return undefined;
    const story = row.stories.find(({ id }) => id === storyId);
    return story && this.rows.story(row, row.key, story);
  }

  private async read(node: TreeNode | undefined): Promise<readonly TreeNode[]> {
    if (!node) return this.readRoots();
    if (node instanceof SavedFilterNode) return this.readSaved(node);
    if (!(node instanceof ProjectNode)) return this.madeBelow(node);
    try {
      await this.source.backlog(node.key);
      await this.shown.prepare(node.key);
      return this.madeBelow(node);
    } catch (thrown) {
      return [this.below.problem(node, thrown)];
    }
  }

  private async readRoots(): Promise<readonly TreeNode[]> {
    const projects = await this.source.projects();
    this.keys = projects.map(({ key }) => key);
    const { filter } = this.shape;
    const meant = projects.filter(({ project }) => filter?.includes(project) !== false);
    const byName = Map.groupBy(projects, ({ project }) => project.name.trim().toLowerCase());
    const isOneSignIn = new Set(this.keys.map(({ accountId }) => accountId)).size === 1;
    const rows = meant.map(({ key, project, account }) => {
      const isAlone = isOneSignIn && byName.get(project.name.trim().toLowerCase())?.length === 1;
      return this.rows.project(key, this.latest(key, project), isAlone ? undefined : account?.label);
    });
    const isEmpty = rows.length === 0 && projects.length > 0;
    const said = isEmpty
      ? [this.rows.notice(undefined, this.texts.noProjectFits, { isQuiet: true, action: 'clearFilter' })]
      : [];
    const unread = projects.length === 0 ? this.unreadRow() : [];
    return [...this.signInRows(), ...rows, ...said, ...unread, ...this.savedRows(), ...this.hiddenRow()];
  }

  /** The view's message has the reason. */
  private unreadRow(): readonly TreeNode[] {
    const text = this.source.unread?.();
    return text === undefined ? [] : [this.rows.notice(undefined, text, { action: 'checkConnection' })];
  }

  /** Above all else: what is below them is old, or there is nothing. */
  private signInRows(): readonly TreeNode[] {
    const accounts = this.source.signedOut?.() ?? [];
    return accounts.map((account) =>
      this.rows.notice(undefined, this.texts.signedOut(account), { action: 'signIn', account }),
    );
  }

  /** What leads to the projects that are hidden; a filter is about those that are shown. */
  private hiddenRow(): readonly TreeNode[] {
    const hidden = this.shape.filter ? 0 : (this.source.hiddenProjects?.() ?? 0);
    if (hidden === 0) return [];
    const text = this.texts.hiddenProjects(hidden);
    return [this.rows.notice(undefined, text, { isQuiet: true, action: 'showHiddenProjects' })];
  }

  /** The list of projects is mostly older than what was read of one since; taking turns, they would paint it again and again. */
  private latest(key: ProjectKey, listed: Project): Project {
    const read = this.source.peek(key)?.project;
    return read && instantOf(read) > instantOf(listed) ? read : listed;
  }

  private async readKeys(): Promise<readonly ProjectKey[]> {
    this.keys = (await this.source.projects()).map(({ key }) => key);
    return this.keys;
  }

  /** Reads all projects: their stories are below one row. */
  private async readSaved(row: SavedFilterNode): Promise<readonly TreeNode[]> {
    const answers = await Promise.allSettled(
      this.keys.map(async (key) => {
        await this.source.backlog(key);
        await this.shown.prepare(key);
      }),
    );
    const [failed] = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    if (failed === undefined) this.problems.delete(row);
    else this.problems.set(row, this.texts.sentenceOf(failed));
    this.savedRows();
    return this.madeBelow(row);
  }

  private savedRows(): readonly SavedFilterNode[] {
    return this.keys.length === 0 ? [] : this.saved.all(this.shape.saved, this.keys);
  }

  private async madeBelow(node: TreeNode): Promise<readonly TreeNode[]> {
    return (await stepwise(this.stepsBelow(node))) ?? [];
  }

  private stepsBelow(node: TreeNode): Steps<readonly TreeNode[]> {
    if (!(node instanceof SavedFilterNode)) return this.below.of(node);
    const view = this.shape.saved.find(({ name }) => name === node.name);
    return this.saved.belowOf(node, view, this.keys, this.problems.get(node));
  }

  private async changed(row: TreeNode): Promise<readonly TreeNode[]> {
    return (await stepwise(this.changesAt(row))) ?? [];
  }

  private *changesAt(row: TreeNode): Steps<readonly TreeNode[]> {
    if (this.looksOtherwise(row)) return [row];
    const before = this.handedOut.get(row);
    if (!before) return [];
    const now = yield* this.stepsBelow(row);
    if (!sameRows(before, now)) return [row];
    const changes: TreeNode[] = [];
    for (const [index, child] of now.entries()) {
      changes.push(...(yield* this.changesAt(child)));
      if (index % 64 === 63) yield;
    }
    return changes;
  }

  private looksOtherwise(row: TreeNode): boolean {
    return !sameValue(this.painted.get(row), this.look(row));
  }

  private look(row: TreeNode): unknown {
    return rowLook(
      row,
      (key) => this.shown.get(key),
      (node) => this.isActive(node),
    );
  }
}

/** Milliseconds since the epoch of the last thing that happened in a project. */
function instantOf({ lastActivityAt }: Project): number {
  return lastActivityAt?.time ?? 0;
}

function sameRows(before: readonly TreeNode[], now: readonly TreeNode[]): boolean {
  return before.length === now.length && before.every((row, index) => row === now[index]);
}
