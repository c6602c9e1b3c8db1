import { setTimeout as sleep } from 'node:timers/promises';
import type { Disposable } from 'vscode';
import * as vscode from 'vscode';
import { type ActiveStory, isSameStory } from '../../../core/activeStory/storyBinding.ts';
import { messageOf } from '../../../core/errors.ts';
import { isSameProject, type ProjectKey } from '../../../core/story/projectKey.ts';
import type { Note } from '../../../core/story/story.ts';
import type { App } from '../../../host/app.ts';
import { isNamed, type OrderedProjects, orderedProjects } from '../../../host/projects/projectOrder.ts';
import { setContext } from '../../../host/shell/commands.ts';
import { Turns } from '../../../host/shell/turnBudget.ts';
import { onDidChangeProjectWishes, projectWishes } from '../../../host/story/projectWishes.ts';
import { DetailNode, DoneSearchNode, StoryNode, type TreeNode } from '../../../host/tree/nodes.ts';
import type { RevealOptions } from '../../../host/tree/storiesView.ts';
import { FirstPaint } from './firstPaint.ts';
import { detailOf } from './rowFacts.ts';
import { nodeId, sameValue } from './rows.ts';
import { ShownStories } from './shownStories.ts';
import { StoryFinder } from './storyFinder.ts';
import { StoryTree } from './storyTree.ts';
import { itemId, treeItem } from './treeItem.ts';
import { ExpandedRows, isInPriorityOrder } from './treeShape.ts';
import { type Filtered, signedOut, unreadText, type ViewNotice, viewNotice } from './treeTexts.ts';

export type TreeNeeds = Pick<
  App,
  'accounts' | 'activeStories' | 'backlogs' | 'drops' | 'log' | 'messages' | 'workspaceMemory'
>;

/** Milliseconds until a row that could not be revealed is tried again. */
const REVEAL_WAITS = [50, 200] as const;

/** Paints what `StoryTree` says, and again only the rows that changed. */
export class PaintedTree implements vscode.Disposable {
  readonly shown: ShownStories;
  private readonly needs: TreeNeeds;
  private readonly view: vscode.TreeView<TreeNode>;
  private readonly tree: StoryTree;
  private readonly marks: ActiveMarks;
  private readonly finder: StoryFinder;
  /** Has these rows painted again, or all. */
  private readonly repaint: (rows: TreeNode[] | undefined) => void;
  private readonly listening: vscode.Disposable;
  private readonly turns = new Turns();
  private readonly expanded: ExpandedRows;
  private readonly painting = new FirstPaint();
  private projects: OrderedProjects = { shown: [], hidden: [], others: [] };
  private notice: ViewNotice | undefined;

  constructor(needs: TreeNeeds, view: vscode.TreeView<TreeNode>, repaint: (rows: TreeNode[] | undefined) => void) {
    const { backlogs } = needs;
    this.needs = needs;
    this.view = view;
    this.repaint = repaint;
    this.shown = new ShownStories(needs);
    this.expanded = new ExpandedRows(needs.workspaceMemory);
    this.tree = new StoryTree(
      {
        projects: async () => {
          this.projects = orderedProjects(await backlogs.projects(), projectWishes());
          return this.projects.shown;
        },
        hiddenProjects: () => this.projects.hidden.length,
        signedOut: () => signedOut(backlogs),
        unread: () => unreadText(backlogs),
        isPinned: (key) => {
          const entry = this.projects.shown.find((one) => isSameProject(one.key, key));
          return entry !== undefined && isNamed(entry, projectWishes().pinned);
        },
        backlog: (key) => backlogs.some(key),
        peek: (key) => backlogs.peekSome(key),
        isActive: (key, storyId) => this.marks.has(key, storyId),
      },
      {
        sentenceOf: messageOf,
        nothingFits: vscode.l10n.t('No matching stories'),
        noProjectFits: vscode.l10n.t('No matching projects'),
        hiddenProjects: hiddenText,
        noStories: vscode.l10n.t('No stories yet'),
        signedOut: ({ label }) => vscode.l10n.t('{0} no longer accepts your sign-in.', label),
      },
    );
    this.marks = new ActiveMarks(needs, (stories) => this.repaintSome(this.tree.changedRowsOf(stories)));
    this.finder = new StoryFinder(needs, this.tree, this.shown);
    this.listening = vscode.Disposable.from(
      this.shown,
      this.marks,
      backlogs.onDidChange((key) => void this.follow(key)),
      needs.accounts.onDidChange(() => void this.tellReading()),
      this.shown.onDidChange(() => void this.reshape()),
      view.onDidExpandElement(({ element }) => this.noteExpanded(element, true)),
      view.onDidCollapseElement(({ element }) => this.noteExpanded(element, false)),
      onDidChangeProjectWishes(() => this.repaint(undefined)),
      this.shown.onDidSearch((key) => void this.follow(key)),
    );
  }

  /** VS Code would show a toast for what is thrown here, so it becomes the view's message. */
  async childrenOf(node?: TreeNode): Promise<TreeNode[]> {
    const handedOut = this.painting.noticeRequest(node === undefined);
    try {
      if (!node) await this.takeShape();
      const rows = [...(await this.tree.childrenOf(node))];
      if (!node) await this.tellState();
      if (!node) await setContext('storyTracker.hasHiddenProjects', this.projects.others.length > 0);
      return rows;
    } catch (thrown) {
      this.needs.log.error(thrown instanceof Error ? thrown : String(thrown));
      this.view.message = messageOf(thrown);
      await setContext('storyTracker.hasLoadedProjects', true);
      return [];
    } finally {
      handedOut();
    }
  }

  /** VS Code asks for all items below a row at once, be they ever so many. */
  itemOf(node: TreeNode): vscode.TreeItem | Promise<vscode.TreeItem> {
    return this.turns.take(() => {
      this.painting.noticeItem();
      this.tree.noticePainted(node);
      return this.expanded.apply(treeItem(node, this.tree));
    });
  }

  parentOf(node: TreeNode): TreeNode | undefined {
    return this.tree.parentOf(node);
  }

  async resolved(item: vscode.TreeItem, node: TreeNode): Promise<vscode.TreeItem> {
    const story = node instanceof StoryNode ? node : node instanceof DetailNode ? node.parent : undefined;
    const detail = node instanceof DetailNode ? detailOf(node) : undefined;
    if (!story || (node !== story && (!detail || detail.kind === 'attachment'))) return item;
    const [{ storyHover, textHover }, { AccountLinks }] = await Promise.all([
      import('../../../host/story/storyHover.ts'),
      import('../../../host/story/accountLinks.ts'),
    ]);
    const links = new AccountLinks(this.needs.backlogs, story.key);
    const server = this.needs.backlogs.signInAmongSeveral(story.key);
    if (node === story) item.tooltip = storyHover(story.story, links, server);
    else if (detail?.kind === 'task') item.tooltip = textHover(detail.task.description, '', links);
    else if (detail?.kind === 'note') item.tooltip = textHover(detail.note.text, writtenBy(detail.note), links);
    return item;
  }

  /** VS Code cannot reveal a row while the tree is painted again, so it is asked again soon. */
  async reveal(storyId: number, projectId: number, options?: RevealOptions): Promise<void> {
    if (options?.onlyIfVisible && !this.view.visible) return;
    await this.showPainted();
    for (const wait of [...REVEAL_WAITS, undefined]) {
      const row = await this.rowToReveal(storyId, projectId, options);
      if (options?.isWanted?.() === false) return;
      try {
        const { select = true, focus = false } = options ?? {};
        const takesFocus = typeof focus === 'function' ? focus() : focus;
        if (row) await this.view.reveal(row, { select, focus: takesFocus, expand: false });
        return;
      } catch (thrown) {
        if (wait === undefined) throw thrown;
        await sleep(wait);
      }
    }
  }

  /** Shows the view, with all that VS Code asks for by itself. */
  private async showPainted(): Promise<void> {
    // Without a row VS Code shows the view alone, though its types do not say so.
    if (!this.view.visible) await Reflect.apply(this.view.reveal, this.view, [undefined, { focus: false }]);
    if (!this.painting.isDone) await this.painting.done();
  }

  private async rowToReveal(storyId: number, projectId: number, options: RevealOptions = {}) {
    const { row, onlyIfListed, accountId } = options;
    if (row) return this.tree.row(nodeId(row)) ?? row;
    return onlyIfListed
      ? this.finder.listedRowOf(storyId, projectId, accountId)
      : this.finder.shownRowOf(storyId, projectId, accountId);
  }

  /** Has the servers of a row's projects search their done iterations by its filter. */
  async searchDone(row: unknown): Promise<void> {
    if (!(row instanceof DoneSearchNode)) return;
    const filter = this.tree.filterOf(row);
    if (filter) await Promise.all(this.tree.searchedBy(row).map((key) => filter.done.search(key)));
  }

  refusesOrder(): boolean {
    const { shape } = this.tree;
    if (isInPriorityOrder(shape)) return false;
    this.needs.messages.info(
      shape.groupBy === 'iteration'
        ? vscode.l10n.t('Stories can be reordered only in priority order. Remove "sort:" from the filter.')
        : vscode.l10n.t('Stories can be reordered only when they are grouped by iteration. Run "Group Stories By…".'),
    );
    return true;
  }

  row(id: string): TreeNode | undefined {
    return this.tree.row(id);
  }

  hasRow(row: TreeNode): boolean {
    return this.tree.has(row);
  }

  dispose(): void {
    this.listening.dispose();
  }

  /** What a filter shows opens anew with each. */
  private noteExpanded(node: TreeNode, isOpen: boolean): void {
    if (!this.tree.shape.filter) this.expanded.note(itemId(node, this.tree), isOpen);
  }

  private async takeShape(): Promise<boolean> {
    const shape = await this.shown.current();
    return shape === this.tree.shape || this.tree.reshape(shape);
  }

  /** Every row can have come, gone or changed; what is selected stays so where it is still shown. */
  private async reshape(): Promise<void> {
    if (!(await this.takeShape())) return;
    this.repaint(undefined);
    await this.tellState();
  }

  private async follow(key: ProjectKey | undefined): Promise<void> {
    const rows = key ? await this.tree.changesIn(key) : await this.tree.changesInProjects();
    if (rows === 'all') this.repaint(undefined);
    else this.repaintSome(rows);
    await this.tellState();
    if (key && (await this.tree.changesInProjects()) === 'all') this.repaint(undefined);
  }

  private repaintSome(rows: readonly TreeNode[]): void {
    if (rows.length > 0) this.repaint([...rows]);
  }

  private async tellState(): Promise<void> {
    const { accounts, backlogs } = this.needs;
    const notice = viewNotice(backlogs, await accounts.list(), await this.filtered());
    if (!sameValue(notice, this.notice)) Object.assign(this.view, notice);
    this.notice = notice;
    await this.tellReading();
  }

  /** Whether the view is empty because there are no projects, or because they are still being read. */
  private async tellReading(): Promise<void> {
    const { accounts, backlogs } = this.needs;
    const all = await accounts.list();
    const isKnown = all.length > 0 && all.every((account) => backlogs.isAnswered(account));
    const isNone = isKnown && backlogs.failures.length === 0 && (await backlogs.projects()).length === 0;
    await setContext('storyTracker.noProjects', isNone);
    await setContext('storyTracker.hasLoadedProjects', isKnown);
  }

  private async filtered(): Promise<Filtered | undefined> {
    const { filter } = this.tree.shape;
    if (!filter) return undefined;
    const projects = await this.needs.backlogs.projects();
    const counts = projects.flatMap(({ key }) => this.tree.countIn(key) ?? []);
    const sum = (part: 'shown' | 'total') => counts.reduce((all, count) => all + count[part], 0);
    return { text: filter.text, shown: sum('shown'), total: sum('total') };
  }
}

function hiddenText(count: number): string {
  return count === 1 ? vscode.l10n.t('1 hidden project') : vscode.l10n.t('{0} hidden projects', count);
}

function writtenBy({ author, notedAt }: Note): string {
  return [author, notedAt?.text].filter((part) => part).join(' · ');
}

/** Knows which stories are worked on, so that their rows can be marked. */
class ActiveMarks implements Disposable {
  private active: readonly ActiveStory[] = [];
  private listening: Disposable | undefined;
  private isDisposed = false;

  /** `changed` is told the stories that are worked on from now on or no longer. */
  constructor(
    { activeStories, log }: Pick<App, 'activeStories' | 'log'>,
    changed: (stories: readonly ActiveStory[]) => void,
  ) {
    this.follow(activeStories, changed).catch((thrown: unknown) => log.warn(`active story: ${messageOf(thrown)}`));
  }

  has({ accountId, projectId }: ProjectKey, storyId: number): boolean {
    return this.active.some((one) => isSameStory(one, { accountId, projectId, storyId }));
  }

  dispose(): void {
    this.isDisposed = true;
    this.listening?.dispose();
  }

  private async follow(
    activeStories: App['activeStories'],
    changed: (stories: readonly ActiveStory[]) => void,
  ): Promise<void> {
    const view = await activeStories.view();
    if (!view || this.isDisposed) return;
    const look = () => {
      const before = this.active;
      this.active = view.active;
      const others = (all: readonly ActiveStory[], than: readonly ActiveStory[]) =>
        all.filter((one) => !than.some((other) => isSameStory(one, other)));
      const changes = [...others(before, this.active), ...others(this.active, before)];
      if (changes.length > 0) changed(changes);
    };
    this.listening = view.onDidChange(look);
    look();
  }
}
