import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { TrackerError } from '../../core/errors.ts';
import type { Intent } from '../../core/intents/intent.ts';
import type { App } from '../../host/app.ts';
import { submitIntents } from '../../host/story/submitIntents.ts';
import { DetailNode, type FoundStory, IterationNode, StoryNode } from '../../host/tree/nodes.ts';
import type { FromPage } from './panelMessages.ts';
import { safeLink } from './plainText.ts';

type Needs = Pick<App, 'backlogs' | 'messages'>;
export type Action = Exclude<FromPage, { readonly type: 'ready' | 'draft' | 'comment' | 'older' | 'newest' }>;

/** Does what a button, box or link of the page asks for. @throws whatever keeps it from being done. */
export async function act(needs: Needs, found: FoundStory, action: Action): Promise<void> {
  const storyId = found.story.id;
  const submit = (intent: Intent) => submitIntents(needs, found.key, [intent]);
  // A row of the tree names its account too, which ids alone do not: two servers may both have a story 12.
  const row = new StoryNode(found.key, found.story, new IterationNode(found.key, 'current', undefined, [found.story]));
  const run = (command: string, ...args: readonly unknown[]) => vscode.commands.executeCommand(command, ...args);
  if (action.type === 'state') await run(commandIds.changeState, row, { state: action.state });
  else if (action.type === 'browser') await run(commandIds.openInBrowser, row);
  else if (action.type === 'attach') await run(commandIds.attachFiles, row);
  else if (action.type === 'saveAllAttachments') await run(commandIds.saveAllAttachments, row);
  else if (action.type === 'paste') await run(commandIds.attachPasted, row, action.files);
  else if (action.type === 'task')
    await submit({ kind: 'task', storyId, taskId: action.id, complete: action.complete });
  else if (action.type === 'newTask') await submit({ kind: 'newTask', storyId, description: action.text });
  // A plain argument has the command reject, so that the page says why.
  else if (action.type === 'command') await run(commandIds[action.command], row, {});
  else if (action.type === 'link') await openLink(action.address);
  else await run(commandIds[action.type], new DetailNode(row, 'attachment', action.id));
}

/** Only the web and mail: what a server names must not start other programs. */
async function openLink(address: string): Promise<void> {
  const link = safeLink(address);
  if (link === undefined) throw new TrackerError('refused', vscode.l10n.t('This link does not lead to a web page.'));
  await vscode.env.openExternal(vscode.Uri.parse(link, true));
}
