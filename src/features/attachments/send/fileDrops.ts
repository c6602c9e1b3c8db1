import * as vscode from 'vscode';
import { TrackerError } from '../../../core/errors.ts';
import { sentStory } from '../../../host/story/storyArgument.ts';
import { DetailNode, StoryNode, type TreeNode } from '../../../host/tree/nodes.ts';
import { type DropHandler, SYSTEM_FILES } from '../../../host/tree/treeDrops.ts';
import type { Offered } from '../prepare/candidate.ts';
import type { AttachNeeds } from './attach.ts';

const URI_LIST = 'text/uri-list';

/** Files dropped on a story, from the Explorer, an editor tab or the system, are attached to it. */
export function fileDrops(needs: AttachNeeds): DropHandler {
  return {
    mimeTypes: [URI_LIST, SYSTEM_FILES],
    /** VS Code shows nothing of what a drop throws. */
    async drop(target, data) {
      await drop(needs, target, data).catch((thrown) => needs.messages.error(thrown));
    },
  };
}

async function drop(needs: AttachNeeds, target: TreeNode | undefined, data: vscode.DataTransfer): Promise<void> {
  // What was dropped is there only while the drop lasts, so nothing comes before it is read.
  const offered = await droppedFiles(data);
  if (offered.length === 0) return;
  const row = storyRow(target);
  if (!row) throw new TrackerError('input', vscode.l10n.t('Drop files onto a story to attach them.'));
  const { attach } = await import('./attach.ts');
  await attach(needs, sentStory(row), offered, 'person');
}

/** Files of the system come with their address where the window and the extension share a machine, else only as bytes. */
async function droppedFiles(data: vscode.DataTransfer): Promise<readonly Offered[]> {
  const uris = urisIn((await data.get(URI_LIST)?.asString()) ?? '');
  if (uris.length > 0) return uris;
  const files = [...data].flatMap(([, item]) => item.asFile() ?? []);
  return (await import('../prepare/droppedBytes.ts')).droppedBytes(files);
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
