import * as vscode from 'vscode';
import { storiesOf } from '../../core/backlog.ts';
import { messageOf } from '../../core/errors.ts';
import type { App } from '../../host/app.ts';
import type { Backlogs } from '../../host/backlogs.ts';
import { setContext } from '../../host/contextKeys.ts';
import { type ProjectKey, StoryNode, type TreeNode } from '../../host/nodes.ts';
import type { RevealOptions, StoriesView } from '../../host/storiesView.ts';
import { sameValue } from './sameValue.ts';
import type { ShownStories } from './shownStories.ts';
import { StoryDrags } from './storyDrags.ts';
import { StoryTree } from './storyTree.ts';
import { treeItem } from './treeItem.ts';
import type { TreeShape } from './treeShape.ts';
import { type Filtered, type ViewNotice, viewNotice } from './viewNotice.ts';

type Needs = Pick<App, 'accounts' | 'backlogs' | 'drops' | 'log' | 'messages'>;

/** The view *Stories*: paints what `StoryTree` says, and only the rows that changed. */
export class StoriesTreeView implements StoriesView, vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  private readonly needs: Needs;
  private readonly tree: StoryTree;
  private readonly view: vscode.TreeView<TreeNode>;
  private readonly changed = new vscode.EventEmitter<TreeNode[] | undefined>();
  private readonly listening: vscode.Disposable;
  private readonly shown: ShownStories;
  private notice: ViewNotice | undefined;

  readonly onDidChangeTreeData = this.changed.event;

  constructor(needs: Needs, shown: ShownStories) {
    this.shown = shown;
    const { backlogs, drops, log } = needs;
    this.needs = needs;
    this.tree = new StoryTree(
      {
        projects: () => backlogs.projects(),
        backlog: (key) => backlogs.some(key),
        peek: (key) => backlogs.peekSome(key),
      },
      messageOf,
    );
    this.view = vscode.window.createTreeView('storyTracker.stories', {
      treeDataProvider: this,
      canSelectMany: true,
      showCollapseAll: true,
      dragAndDropController: new StoryDrags(drops, log, () => this.refusesOrder()),
    });
    this.listening = vscode.Disposable.from(
      backlogs.onDidChange((key) => void this.follow(key)),
      shown.onDidChange(() => void this.reshape()),
    );
  }

  get isVisible(): boolean {
    return this.view.visible;
  }

  get onDidChangeVisibility(): vscode.Event<unknown> {
    return this.view.onDidChangeVisibility;
  }

  /** VS Code would show a toast for what is thrown here, so it becomes the view's message. */
  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    try {
      if (!node) this.tree.shape = await this.shown.current();
      const rows = [...(await this.tree.childrenOf(node))];
      if (!node) await this.tellState();
      return rows;
    } catch (thrown) {
      this.needs.log.error(thrown instanceof Error ? thrown : String(thrown));
      this.view.message = messageOf(thrown);
      return [];
    }
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    this.tree.noticePainted(node);
    return treeItem(node, this.tree);
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return this.tree.parentOf(node);
  }

  async resolveTreeItem(item: vscode.TreeItem, node: TreeNode): Promise<vscode.TreeItem> {
    if (node instanceof StoryNode) item.tooltip = (await import('./storyHover.ts')).storyHover(node.story);
    return item;
  }

  selection(): readonly TreeNode[] {
    return this.view.selection;
  }

  async reveal(storyId: number, projectId: number, options?: RevealOptions): Promise<void> {
    const row = await this.shownRowOf(storyId, projectId, options?.accountId);
    if (row) await this.view.reveal(row, { select: true, focus: options?.focus === true, expand: false });
  }

  dispose(): void {
    this.listening.dispose();
    this.view.dispose();
    this.changed.dispose();
  }

  /** As `rowOf`; a filter that hides the story ends. */
  private async shownRowOf(storyId: number, projectId: number, accountId: string | undefined) {
    if (this.shown.filterText === undefined) return this.rowOf(storyId, projectId, accountId);
    const entry = await this.entryOf(projectId, accountId);
    const row = entry && (await this.tree.findStory(entry.key, storyId));
    if (row || !entry) return row;
    await this.shown.filter('');
    this.needs.messages.status(vscode.l10n.t('The filter hid this story, so it has ended.'));
    return this.rowOf(storyId, projectId, accountId);
  }

  /** The row of a story; older done iterations are loaded until one has it. */
  private async rowOf(
    storyId: number,
    projectId: number,
    accountId: string | undefined,
  ): Promise<StoryNode | undefined> {
    const { backlogs } = this.needs;
    const entry = await this.entryOf(projectId, accountId);
    if (!entry) return undefined;
    for (let shown = -1; ; ) {
      const row = await this.tree.findStory(entry.key, storyId);
      const { length } = (await backlogs.backlog(entry.key)).done;
      if (row || length <= shown) return row;
      shown = length;
      await backlogs.loadMoreDone(entry.key);
    }
  }

  private async entryOf(projectId: number, accountId: string | undefined) {
    const projects = await this.needs.backlogs.projects();
    return projects.find(
      ({ key }) => key.projectId === projectId && (accountId === undefined || key.accountId === accountId),
    );
  }

  /** Every row can have come, gone or changed; what is selected stays so where it is still shown. */
  private async reshape(): Promise<void> {
    const shape = await this.shown.current();
    for (const { key } of await this.needs.backlogs.projects()) await this.prepare(key, shape);
    this.tree.shape = shape;
    this.changed.fire(undefined);
    await this.tellState();
  }

  private async prepare(key: ProjectKey, { filter }: TreeShape): Promise<void> {
    const backlog = filter && this.needs.backlogs.peekSome(key);
    if (backlog) await filter.prepare(key, storiesOf(backlog));
  }

  private async follow(key: ProjectKey | undefined): Promise<void> {
    if (key) await this.prepare(key, this.tree.shape);
    const rows = key ? this.tree.changesIn(key) : await this.tree.changesInProjects();
    if (rows === 'all') this.changed.fire(undefined);
    else if (rows.length > 0) this.changed.fire([...rows]);
    await this.tellState();
  }

  private async tellState(): Promise<void> {
    const { accounts, backlogs } = this.needs;
    const notice = viewNotice(backlogs, await accounts.list(), await this.filtered());
    if (!sameValue(notice, this.notice)) Object.assign(this.view, notice);
    this.notice = notice;
    await setContext('storyTracker.noProjects', await hasNoProjects(backlogs));
  }

  private refusesOrder(): boolean {
    if (this.tree.shape.groupBy === 'iteration') return false;
    this.needs.messages.info(
      vscode.l10n.t('Stories can be put in order while they are grouped by iteration. Run "Group Stories By…".'),
    );
    return true;
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

/** Whether all servers have answered and none has a project for us. */
async function hasNoProjects(backlogs: Backlogs): Promise<boolean> {
  return backlogs.readAt !== undefined && backlogs.failures.length === 0 && (await backlogs.projects()).length === 0;
}
