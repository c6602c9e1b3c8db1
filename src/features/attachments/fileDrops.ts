import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import { DetailNode, StoryNode, type TreeNode } from '../../host/nodes.ts';
import type { DropHandler } from '../../host/treeDrops.ts';
import type { AttachNeeds } from './attach.ts';

const URI_LIST = 'text/uri-list';

/** Files dropped from the Explorer or an editor tab on a story are attached to it. */
export function fileDrops(needs: AttachNeeds): DropHandler {
  return {
    mimeTypes: [URI_LIST],
    /** VS Code shows nothing of what a drop throws. */
    async drop(target, data) {
      const list = (await data.get(URI_LIST)?.asString()) ?? '';
      await drop(needs, target, urisIn(list)).catch((thrown) => needs.messages.error(thrown));
    },
  };
}

async function drop(needs: AttachNeeds, target: TreeNode | undefined, uris: readonly vscode.Uri[]): Promise<void> {
  if (uris.length === 0) return;
  const row = storyRow(target);
  if (!row) throw new TrackerError('input', vscode.l10n.t('Drop files on a story to attach them.'));
  const { attach } = await import('./attach.ts');
  await attach(needs, { key: row.key, story: row.story }, uris, 'person');
}

function storyRow(target: TreeNode | undefined): StoryNode | undefined {
  if (target instanceof DetailNode) return target.parent;
  return target instanceof StoryNode ? target : undefined;
}

/** The lines of a uri-list (RFC 2483): CR LF between them, `#` begins a comment. */
function urisIn(list: string): readonly vscode.Uri[] {
  const lines = list.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => vscode.Uri.parse(line, true));
}
