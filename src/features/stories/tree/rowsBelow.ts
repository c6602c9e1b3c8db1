import type { ProjectKey } from '../../../core/story/projectKey.ts';
import { type Steps, visiting } from '../../../host/shell/turnBudget.ts';
import {
  DoneSearchNode,
  type FoundStory,
  GroupNode,
  IterationNode,
  MoreNode,
  type NoticeAccount,
  NoticeNode,
  ProjectNode,
  SavedFilterNode,
  type SearchProgress,
  StoryNode,
  type TreeNode,
} from '../../../host/tree/nodes.ts';
import { acceptedPoints, detailOf, totalPoints } from './rowFacts.ts';
import type { Rows } from './rows.ts';
import { type Group, hasOlder, type ShownProject } from './shownProject.ts';
import type { SavedView } from './treeShape.ts';

type Stories = readonly { readonly key: ProjectKey; readonly story: StoryNode['story'] }[];

/** What rows say that stand for no value. */
export interface TreeTexts {
  /** Where a filter leaves no story. */
  readonly nothingFits: string;
  /** Where a filter leaves no project. */
  readonly noProjectFits: string;
  readonly hiddenProjects: (count: number) => string;
  /** Below a project that has none. */
  readonly noStories: string;
  /** That a server does not accept a sign-in any more. */
  readonly signedOut: (account: NoticeAccount) => string;
  /** The sentence for what was thrown. */
  readonly sentenceOf: (error: unknown) => string;
}

/** The rows below the row of a project, an iteration or a story. */
export class RowsBelow {
  private readonly rows: Rows;
  private readonly shownOf: (key: ProjectKey) => ShownProject | undefined;
  private readonly texts: TreeTexts;

  constructor(rows: Rows, shownOf: (key: ProjectKey) => ShownProject | undefined, texts: TreeTexts) {
    this.rows = rows;
    this.shownOf = shownOf;
    this.texts = texts;
  }

  *of(node: TreeNode): Steps<readonly TreeNode[]> {
    if (node instanceof ProjectNode) return yield* this.belowProject(node);
    if (node instanceof StoryNode) return this.rows.details(node);
    if (node instanceof IterationNode && isDoneGroup(node)) return this.belowDone(node);
    if (!(node instanceof IterationNode || node instanceof GroupNode)) return [];
    const { key, stories } = node;
    return yield* this.storyRows(
      node,
      stories.map((story) => ({ key, story })),
    );
  }

  *storyRows(parent: StoryNode['parent'], stories: Stories): Steps<readonly StoryNode[]> {
    const made: StoryNode[] = [];
    yield* visiting(stories, ({ key, story }) => made.push(this.rows.story(parent, key, story)));
    return made;
  }

  private *belowProject(row: ProjectNode): Steps<readonly TreeNode[]> {
    const shown = this.shownOf(row.key);
    if (!shown) return [];
    const known = yield* this.known(row, shown);
    const { missing } = shown.backlog;
    if (isEmpty(shown))
      return [this.rows.notice(row, this.texts.noStories, { isQuiet: true, action: 'newStoryInTab' }), ...known];
    if (!missing) return known;
    return [
      ...known,
      missing.error === undefined ? this.rows.notice(row, undefined) : this.problem(row, missing.error),
    ];
  }

  /** In place of what could not be read. */
  problem(row: ProjectNode, error: unknown): NoticeNode {
    return this.rows.notice(row, this.texts.sentenceOf(error), { action: 'refresh' });
  }

  private *known(row: ProjectNode, shown: ShownProject): Steps<readonly TreeNode[]> {
    const rows = yield* this.groups(row, shown);
    if (!shown.shape.filter || rows.length > 0 || shown.backlog.missing) return rows;
    return [this.rows.notice(row, this.texts.nothingFits, { isQuiet: true, action: 'clearFilter' })];
  }

  private *groups(row: ProjectNode, shown: ShownProject): Steps<readonly TreeNode[]> {
    const { key } = row;
    const { backlog, groups, shape, storyGroups } = shown;
    if (storyGroups) return [...storyGroups.map((group) => this.rows.group(key, group)), ...this.older(row, shown)];
    const hidesIcebox = backlog.missing ?? shape.filter;
    const kept = hidesIcebox && groups.icebox.stories.length === 0 ? [] : [groups.icebox];
    const done = showsDone(shown) ? [doneTogether(shown)] : [];
    const made: TreeNode[] = [];
    const all = [...groups.current, ...groups.backlog, ...done, ...kept];
    yield* visiting(all, (group) => made.push(this.rows.iteration(key, group)));
    return made;
  }

  private belowDone(row: IterationNode): readonly TreeNode[] {
    const { key } = row;
    const shown = this.shownOf(key);
    if (!shown) return [];
    const iterations = shown.groups.done.map((group) => this.rows.iteration(key, group));
    const found = shown.found.map((story) => this.rows.story(row, key, story));
    return [...iterations, ...found, ...this.older(row, shown)];
  }

  /** What leads to the done iterations that are not loaded: a filter has them searched. */
  private older(row: ProjectNode | IterationNode, { backlog, shape }: ShownProject): readonly TreeNode[] {
    const { filter } = shape;
    if (!hasOlder(backlog) || filter?.hidesDone) return [];
    if (!filter) return [this.rows.more(row)];
    const progress = filter.done.progressIn(row.key);
    return progress ? [this.rows.doneSearch(row, progress)] : [];
  }
}

/** Nobody has planned anything yet; with a filter that is not told from nothing that fits. */
function isEmpty({ backlog, groups: { current, backlog: later, done, icebox }, shape }: ShownProject): boolean {
  if (shape.filter || backlog.missing || hasOlder(backlog)) return false;
  return [...current, ...later, ...done, icebox].every(({ stories }) => stories.length === 0);
}

/** With a filter also when nothing fits yet: older ones can be searched. */
function showsDone({ backlog, groups, shape: { filter } }: ShownProject): boolean {
  return filter ? backlog.done.length > 0 && !filter.hidesDone : groups.done.length > 0;
}

function doneTogether({ groups: { done }, found, shape }: ShownProject): Group {
  const stories = [...done.flatMap((group) => group.stories), ...found];
  const total = done.reduce((sum, group) => sum + (group.total ?? 0), found.length);
  return { kind: 'done', iteration: undefined, stories, ...(shape.filter && { total }) };
}

/** All that a row shows, hover included, to be compared with what it shows later. */
export function rowLook(
  node: TreeNode,
  shownOf: (key: ProjectNode['key']) => ShownProject | undefined,
  isActive: (node: StoryNode) => boolean,
): unknown {
  if (node instanceof StoryNode) return isActive(node) ? { active: node.story } : node.story;
  if (node instanceof ProjectNode) {
    // Who works there gives stories the letters of their owners, and what is estimated there the signs of their points.
    const { name, account, currentVelocity, memberships, bugsAndChoresAreEstimatable } = node.project;
    const { account: signIn } = node;
    const { count } = shownOf(node.key) ?? {};
    return { name, account, signIn, currentVelocity, memberships, bugsAndChoresAreEstimatable, count };
  }
  if (node instanceof NoticeNode) return { text: node.text, action: node.action };
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

/** The rows of saved filters, below those of the projects, and what each has below it. */
export class SavedFilterRows {
  private readonly rows: Rows;
  private readonly below: RowsBelow;
  private readonly shownOf: (key: ProjectKey) => ShownProject | undefined;
  private readonly texts: Pick<TreeTexts, 'nothingFits'>;

  constructor(
    rows: Rows,
    below: RowsBelow,
    shownOf: (key: ProjectKey) => ShownProject | undefined,
    texts: Pick<TreeTexts, 'nothingFits'>,
  ) {
    this.rows = rows;
    this.below = below;
    this.shownOf = shownOf;
    this.texts = texts;
  }

  /** The rows with what is known now of these projects. */
  all(saved: readonly SavedView[], keys: readonly ProjectKey[]): readonly SavedFilterNode[] {
    return saved.map((view) => {
      const inTurn = keys.flatMap((key) => this.foundIn(key, view));
      const order = typeof view.filter === 'string' ? undefined : view.filter.order;
      const found = order ? inTurn.toSorted((one, other) => order(one.story, other.story)) : inTurn;
      const isPartial = typeof view.filter !== 'string' && keys.some((key) => !this.shownOf(key));
      return this.rows.savedFilter(view.name, { text: view.text, found, isPartial });
    });
  }

  /** The stories, what is to be said about them, and whether more can be searched. `problem`: why some could not be read. */
  *belowOf(
    row: SavedFilterNode,
    view: SavedView | undefined,
    keys: readonly ProjectKey[],
    problem: string | undefined,
  ): Steps<readonly TreeNode[]> {
    if (!view) return [];
    const stories = yield* this.below.storyRows(row, row.found);
    const progress = this.progressOf(view, keys);
    const search = progress ? [this.rows.doneSearch(row, progress)] : [];
    if (typeof view.filter === 'string')
      return [...stories, this.rows.notice(row, view.filter, { action: 'editFilter' }), ...search];
    if (problem !== undefined) return [...stories, this.rows.notice(row, problem, { action: 'refresh' }), ...search];
    const isEmpty = stories.length === 0 && !row.isPartial;
    return isEmpty
      ? [this.rows.notice(row, this.texts.nothingFits, { isQuiet: true, action: 'editFilter' }), ...search]
      : [...stories, ...search];
  }

  private foundIn(key: ProjectKey, { filter }: SavedView): readonly FoundStory[] {
    const found = typeof filter === 'string' ? [] : (this.shownOf(key)?.saved.get(filter) ?? []);
    return found.map((story) => ({ key, story }));
  }

  /** How far the search of all these projects is; `undefined` when there is nothing to search. */
  private progressOf({ filter }: SavedView, keys: readonly ProjectKey[]): SearchProgress | undefined {
    if (typeof filter === 'string' || filter.hidesDone) return undefined;
    const searchable = keys.filter((key) => {
      const backlog = this.shownOf(key)?.backlog;
      return backlog !== undefined && filter.includes(backlog.project) && hasOlder(backlog);
    });
    const all = searchable.flatMap((key) => filter.done.progressIn(key) ?? []);
    const inState = (state: SearchProgress['state']) => all.find((one) => one.state === state);
    return inState('searching') ?? inState('failed') ?? inState('offered');
  }
}
