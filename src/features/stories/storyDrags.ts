import * as vscode from 'vscode';
import { messageOf } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { DetailNode, StoryNode, type TreeNode } from '../../host/nodes.ts';
import { STORY_IDS, STORY_ROWS, type TreeDrops } from '../../host/treeDrops.ts';

/** Hands what is dragged and dropped on the story tree to the slices that take it. */
export class StoryDrags implements vscode.TreeDragAndDropController<TreeNode> {
  readonly dragMimeTypes: readonly string[] = [STORY_IDS];
  readonly dropMimeTypes: readonly string[];
  private readonly drops: TreeDrops;
  private readonly log: Log;
  private readonly refuseOrder: () => boolean;

  /** `refuseOrder` is asked whenever rows are dropped on rows, and tells the person why when they cannot be put in order. */
  constructor(drops: TreeDrops, log: Log, refuseOrder: () => boolean) {
    this.refuseOrder = refuseOrder;
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
    if (details.length > 0) await (await import('./draggedAttachments.ts')).addAttachments(details, data);
  }

  async handleDrop(
    target: TreeNode | undefined,
    data: vscode.DataTransfer,
    token: vscode.CancellationToken,
  ): Promise<void> {
    if (data.get(STORY_ROWS) !== undefined && this.refuseOrder()) return;
    try {
      await this.drops.drop(target, data, token);
    } catch (thrown) {
      this.log.error(messageOf(thrown));
      throw thrown;
    }
  }
}
