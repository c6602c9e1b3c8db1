import * as vscode from 'vscode';
import { messageOf } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { attachmentUri } from '../../host/attachmentUri.ts';
import { DetailNode, StoryNode, type TreeNode } from '../../host/nodes.ts';
import { STORY_IDS, STORY_ROWS, type TreeDrops } from '../../host/treeDrops.ts';
import { detailOf } from './detail.ts';

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

  handleDrag(source: readonly TreeNode[], data: vscode.DataTransfer): void {
    const dragged = source.filter((node) => node instanceof StoryNode);
    this.drops.drag(dragged);
    const ids = dragged.map(({ story }) => story.id);
    if (ids.length > 0) data.set(STORY_IDS, new vscode.DataTransferItem(JSON.stringify(ids)));
    const uris = source.flatMap((node) => attachmentOf(node) ?? []);
    // Not among the types of all drags: stories would seem to be files then. The rows' `resourceUri` tells editors.
    if (uris.length > 0) data.set('text/uri-list', new vscode.DataTransferItem(uris.join('\r\n')));
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

/** Editors open what is dragged to them by its address. */
function attachmentOf(node: TreeNode): string | undefined {
  const detail = node instanceof DetailNode ? detailOf(node) : undefined;
  if (!(node instanceof DetailNode) || detail?.kind !== 'attachment') return undefined;
  return attachmentUri(node.parent.key, node.parent.story.id, detail.attachment).toString();
}
