import * as vscode from 'vscode';
import { messageOf } from '../../../core/errors.ts';
import type { Log } from '../../../core/log.ts';
import { DetailNode, StoryNode, type TreeNode } from '../../../host/tree/nodes.ts';
import { draggedIds, STORY_IDS, STORY_ROWS, type TreeDrops } from '../../../host/tree/treeDrops.ts';

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
