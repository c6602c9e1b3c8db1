import * as vscode from 'vscode';
import type { TreeNode } from '../../../host/tree/nodes.ts';
import type { RevealOptions, StoriesView } from '../../../host/tree/storiesView.ts';
import type { PaintedTree, TreeNeeds } from './paintedTree.ts';
import { SelectedRows } from './selectedRows.ts';
import { StoryDrags } from './storyDrags.ts';

/** The view *Stories*; what paints it is read when it is first seen or asked for something. */
export class StoriesTreeView implements StoriesView, vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  private readonly needs: TreeNeeds;
  private readonly view: vscode.TreeView<TreeNode>;
  private readonly selected: SelectedRows;
  private readonly changed = new vscode.EventEmitter<TreeNode[] | undefined>();
  private loading: Promise<PaintedTree> | undefined;
  private tree: PaintedTree | undefined;

  readonly onDidChangeTreeData = this.changed.event;

  constructor(needs: TreeNeeds) {
    const { drops, log } = needs;
    this.needs = needs;
    this.view = vscode.window.createTreeView('storyTracker.stories', {
      treeDataProvider: this,
      canSelectMany: true,
      showCollapseAll: true,
      dragAndDropController: new StoryDrags(drops, log, () => this.tree),
    });
    this.selected = new SelectedRows(this.view, (row) => this.tree?.hasRow(row) === true);
  }

  get visible(): boolean {
    return this.view.visible;
  }

  get onDidChangeVisibility(): vscode.Event<unknown> {
    return this.view.onDidChangeVisibility;
  }

  load(): Promise<PaintedTree> {
    this.loading ??= import('./paintedTree.ts').then(({ PaintedTree: Tree }) => {
      this.tree = new Tree(this.needs, this.view, (rows) => this.repaint(rows));
      return this.tree;
    });
    return this.loading;
  }

  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    return (await this.load()).childrenOf(node);
  }

  /** Rows come from the tree, so it is there. */
  getTreeItem(node: TreeNode): vscode.TreeItem | Promise<vscode.TreeItem> {
    return this.tree?.itemOf(node) ?? new vscode.TreeItem('');
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return this.tree?.parentOf(node);
  }

  async resolveTreeItem(item: vscode.TreeItem, node: TreeNode): Promise<vscode.TreeItem> {
    return (await this.load()).resolved(item, node);
  }

  selection(): readonly TreeNode[] {
    return this.selected.current();
  }

  async reveal(storyId: number, projectId: number, options?: RevealOptions): Promise<void> {
    await (await this.load()).reveal(storyId, projectId, options);
  }

  private repaint(rows: TreeNode[] | undefined): void {
    this.selected.noticePainting();
    this.changed.fire(rows);
  }

  dispose(): void {
    this.tree?.dispose();
    this.view.dispose();
    this.changed.dispose();
  }
}
