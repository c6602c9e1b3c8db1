import * as vscode from 'vscode';
import { messageOf } from '../../../core/errors.ts';
import type { Log } from '../../../core/log.ts';
import { DetailNode, StoryNode, type TreeNode } from '../../../host/tree/nodes.ts';
import type { RevealOptions, StoriesView } from '../../../host/tree/storiesView.ts';
import { draggedIds, STORY_IDS, STORY_ROWS, type TreeDrops } from '../../../host/tree/treeDrops.ts';
import type { PaintedTree, TreeNeeds } from './paintedTree.ts';

/** What the shown tree knows of a drag. */
interface DragTree {
  /** Asked whenever rows are dropped on rows; tells the person why when they cannot be put in order. */
  refusesOrder(): boolean;
  row(id: string): TreeNode | undefined;
}

/** Hands what is dragged and dropped on the story tree to the slices that take it. */
export class StoryDrags implements vscode.TreeDragAndDropController<TreeNode> {
  readonly dragMimeTypes: readonly string[] = [STORY_IDS];
  readonly dropMimeTypes: readonly string[];
  private readonly drops: TreeDrops;
  private readonly log: Log;
  private readonly tree: () => DragTree | undefined;

  constructor(drops: TreeDrops, log: Log, tree: () => DragTree | undefined) {
    this.tree = tree;
    this.drops = drops;
    this.log = log;
    this.dropMimeTypes = drops.mimeTypes;
  }

  async handleDrag(source: readonly TreeNode[], data: vscode.DataTransfer): Promise<void> {
    const dragged = source.filter((node) => node instanceof StoryNode);
    this.drops.drag(dragged);
    const ids = dragged.map(({ story }) => story.id);
    if (ids.length > 0) data.set(STORY_IDS, new vscode.DataTransferItem(JSON.stringify(ids)));
    const details = source.filter((node) => node instanceof DetailNode);
    if (details.length > 0) await (await import('./storyItem.ts')).addAttachments(details, data);
  }

  async handleDrop(
    target: TreeNode | undefined,
    data: vscode.DataTransfer,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const carried = data.get(STORY_ROWS);
    if (carried && this.tree()?.refusesOrder()) return;
    try {
      const ids = carried && draggedIds(await carried.asString());
      if (ids) this.drops.drag(ids.map((id) => this.tree()?.row(id)).filter((row) => row instanceof StoryNode));
      await this.drops.drop(target, data, token);
    } catch (thrown) {
      this.log.error(messageOf(thrown));
      throw thrown;
    }
  }
}

/** The view *Stories*; what paints it is read when it is first seen or asked for something. */
export class StoriesTreeView implements StoriesView, vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  private readonly needs: TreeNeeds;
  private readonly view: vscode.TreeView<TreeNode>;
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
  }

  get visible(): boolean {
    return this.view.visible;
  }

  get onDidChangeVisibility(): vscode.Event<unknown> {
    return this.view.onDidChangeVisibility;
  }

  load(): Promise<PaintedTree> {
    this.loading ??= import('./paintedTree.ts').then(({ PaintedTree: Tree }) => {
      this.tree = new Tree(this.needs, this.view, (rows) => this.changed.fire(rows));
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
    return this.view.selection;
  }

  async reveal(storyId: number, projectId: number, options?: RevealOptions): Promise<void> {
    await (await this.load()).reveal(storyId, projectId, options);
  }

  dispose(): void {
    this.tree?.dispose();
    this.view.dispose();
    this.changed.dispose();
  }
}
