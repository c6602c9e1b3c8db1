import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { TrackerError } from '../../core/errors.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import type { Caller } from '../../host/shell/commands.ts';
import { openMentioned } from '../../host/story/accountLinks.ts';
import { type FoundStory, GivenStory } from '../../host/tree/nodes.ts';
import type { FieldsFromPage } from './fieldMessages.ts';
import { safeLink } from './html.ts';
import type { FromPage, StoryCommand } from './panelMessages.ts';
import type { TaskAction } from './storyTasks.ts';

export interface ActionNeeds {
  /** Adds a task that the one undo takes back; rejects in the server's words when it refuses. */
  readonly addTask: (found: FoundStory, description: string) => Promise<void>;
}

/** What the page asks for beside what it tells of its fields and of itself. */
export type Action = Exclude<
  FromPage,
  | FieldsFromPage
  | {
      readonly type:
        | 'ready'
        | 'edited'
        | 'draft'
        | 'keepTexts'
        | 'comment'
        | 'older'
        | 'newest'
        | 'olderHistory'
        | 'image';
    }
>;
export type LinkAction = Extract<Action, { readonly type: 'link' | 'story' }>;
type OtherAction = Exclude<Action, TaskAction>;

/** Has a command reject what goes wrong, so that the page says it. */
export const TOLD_HERE = { caller: 'program' satisfies Caller } as const;

/** Start Story… asks a person where to work, and a program not. */
function callerFor(command: StoryCommand): { readonly caller: Caller } {
  return command === 'startStory' ? { caller: 'person' } : TOLD_HERE;
}

/** Does what a button, box or link of the page asks for. @throws whatever keeps it from being done. */
export async function act({ addTask }: ActionNeeds, found: FoundStory, action: OtherAction): Promise<void> {
  const story = new GivenStory(found);
  const run = (command: string, ...args: readonly unknown[]) => vscode.commands.executeCommand(command, story, ...args);
  if (action.type === 'state') await run(commandIds.changeState, { state: action.state, ...TOLD_HERE });
  else if (action.type === 'browser') await run(commandIds.openInBrowser);
  else if (action.type === 'undo') await vscode.commands.executeCommand(commandIds.undo);
  else if (action.type === 'redo') await vscode.commands.executeCommand(commandIds.redo);
  else if (action.type === 'attach') await run(commandIds.attachFiles);
  else if (action.type === 'saveAllAttachments') await run(commandIds.saveAllAttachments);
  else if (action.type === 'paste') await run(commandIds.attachPasted, action.files);
  else if (action.type === 'newTask') await addTask(found, action.text);
  else if (action.type === 'command') await run(commandIds[action.command], callerFor(action.command));
  else if (action.type === 'link' || action.type === 'story') await followLink(found.key, action);
  else await run(commandIds[action.type], { attachmentId: action.id, caller: 'person' satisfies Caller });
}

/** Opens what a text of this project links. @throws TrackerError for what is no address of the web */
export async function followLink(key: ProjectKey, action: LinkAction): Promise<void> {
  if (action.type === 'story') await openMentioned(key, action.id);
  else await openLink(action.address);
}

/** Only the web and mail: what a server names must not start other programs. */
async function openLink(address: string): Promise<void> {
  const link = safeLink(address);
  if (link === undefined) throw new TrackerError('refused', vscode.l10n.t('This link does not lead to a web page.'));
  await vscode.env.openExternal(vscode.Uri.parse(link, true));
}
