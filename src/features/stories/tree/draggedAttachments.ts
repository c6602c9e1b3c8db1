import * as vscode from 'vscode';
import { attachmentUri } from '../../../host/story/attachmentUri.ts';
import type { DetailNode } from '../../../host/tree/nodes.ts';
import { detailOf } from './detail.ts';

/**
 * Lets editors open the attachments among dragged rows. The type is not among those of all drags, since stories would seem to
 * be files then; the rows' `resourceUri` tells editors that something is to come.
 */
export function addAttachments(dragged: readonly DetailNode[], data: vscode.DataTransfer): void {
  const uris = dragged.flatMap((node) => {
    const detail = detailOf(node);
    const { key, story } = node.parent;
    return detail?.kind === 'attachment' ? [attachmentUri(key, story.id, detail.attachment).toString()] : [];
  });
  if (uris.length > 0) data.set('text/uri-list', new vscode.DataTransferItem(uris.join('\r\n')));
}
