import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { findStory, withStory } from '../../core/backlog.ts';
import { TrackerError } from '../../core/errors.ts';
import type { Backlogs } from '../../host/backlogs.ts';
import type { FoundStory } from '../../host/foundStory.ts';
import { DetailNode, IterationNode, StoryNode } from '../../host/nodes.ts';
import type { FromPage } from './panelMessages.ts';
import { safeLink } from './safeLink.ts';

type Action = Exclude<FromPage, { readonly type: 'ready' | 'draft' | 'comment' }>;

/** Does what a button, box or link of the page asks for. @throws whatever keeps it from being done. */
export async function act(backlogs: Backlogs, found: FoundStory, action: Action): Promise<void> {
  // A row of the tree names its account too, which ids alone do not: two servers may both have a story 12.
  const row = new StoryNode(found.key, found.story, new IterationNode(found.key, 'current', undefined, [found.story]));
  const run = (command: string, ...args: readonly unknown[]) => vscode.commands.executeCommand(command, ...args);
  if (action.type === 'state') await run(commandIds.changeState, row, { state: action.state });
  else if (action.type === 'browser') await run(commandIds.openInBrowser, row);
  else if (action.type === 'attach') await run(commandIds.attachFiles, row);
  else if (action.type === 'paste') await run(commandIds.attachPasted, row, action.files);
  else if (action.type === 'task') await completeTask(backlogs, found, action.id, action.complete);
  else if (action.type === 'link') await openLink(action.address);
  else await run(commandIds[action.type], new DetailNode(row, 'attachment', action.id));
}

async function completeTask(backlogs: Backlogs, found: FoundStory, id: number, complete: boolean): Promise<void> {
  const { key, story } = found;
  const guess: Parameters<Backlogs['change']>[1] = (backlog) => {
    const shown = findStory(backlog, story.id);
    const tasks = shown?.tasks.map((task) => (task.id === id ? { ...task, complete } : task));
    return shown && tasks ? withStory(backlog, { ...shown, tasks }) : backlog;
  };
  const ref = { projectId: key.projectId, storyId: story.id };
  await backlogs.change(key, guess, (tracker) => tracker.updateTask(ref, id, { complete }));
}

/** Only the web and mail: what a server names must not start other programs. */
async function openLink(address: string): Promise<void> {
  const link = safeLink(address);
  if (link === undefined) throw new TrackerError('refused', vscode.l10n.t('This link leads to no web page.'));
  await vscode.env.openExternal(vscode.Uri.parse(link, true));
}
