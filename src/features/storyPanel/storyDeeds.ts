import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { stateWord } from '../../core/backlog/stateWords.ts';
import { messageOf, TrackerError } from '../../core/errors.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import type { Story } from '../../core/story/story.ts';
import type { App } from '../../host/app.ts';
import type { Caller } from '../../host/shell/commands.ts';
import { openMentioned } from '../../host/story/accountLinks.ts';
import { submitIntents } from '../../host/story/submitIntents.ts';
import { type FoundStory, GivenStory } from '../../host/tree/nodes.ts';
import type { BegunTexts } from './draftMemory.ts';
import type { FieldsFromPage } from './fieldMessages.ts';
import { safeLink } from './html.ts';
import type { FromPage, PanelStory, PastedFile, StoryCommand } from './panelMessages.ts';
import type { PanelPage } from './panelPage.ts';
import type { PanelTexts } from './panelTexts.ts';
import { isTaskAction, type TaskAction, TaskOrder, taskCommand } from './storyTasks.ts';
import type { UnsavedTexts } from './unsavedTexts.ts';

export interface ActionNeeds {
  /** Adds a task that the one undo takes back; rejects in the server's words when it refuses. */
  readonly addTask: (found: FoundStory, description: string) => Promise<void>;
}

interface DeedNeeds extends ActionNeeds, Pick<App, 'backlogs' | 'log' | 'messages'> {}

/** The story of a tab, as it shows it. */
interface ShownStory {
  readonly key: ProjectKey;
  readonly name: PanelStory;
  readonly story: () => Story | undefined;
  /** Asks the server for it, and shows it. */
  readonly read: () => Promise<void>;
  /** Has all of it and where it stands shown after a deed; asks the server where no list has the story. */
  readonly showDone: () => Promise<void>;
  /** Also where nothing is different: the page may show what was asked for. */
  readonly showAgain: () => void;
  /** A comment waits until it can be sent, or is there. */
  readonly showComment: (isWaiting: boolean) => Promise<void>;
}

/** What was written in the tab beside fields. */
interface Written {
  readonly begun: BegunTexts;
  readonly unsaved: UnsavedTexts;
}

/** Does to a story what its page asks for, and tells what came of it; a text that is refused is given back. */
export class StoryDeeds {
  private readonly needs: DeedNeeds;
  private readonly page: PanelPage;
  private readonly shown: ShownStory;
  private readonly written: Written;
  private readonly texts: PanelTexts;
  private readonly taskOrder = new TaskOrder();

  constructor(needs: DeedNeeds, page: PanelPage, shown: ShownStory, written: Written, texts: PanelTexts) {
    this.needs = needs;
    this.page = page;
    this.shown = shown;
    this.written = written;
    this.texts = texts;
  }

  async do(action: Action): Promise<void> {
    const { page, shown } = this;
    const story = shown.story();
    if (!story) return;
    try {
      await this.perform(action, story);
    } catch (thrown) {
      await this.tellRefused(action, thrown);
      shown.showAgain();
      return;
    }
    if (page.isClosed) {
      if (action.type === 'editTask') await this.written.begun.forgetTaskEdit(action);
      return;
    }
    if (action.type === 'newTask') await page.tell({ type: 'taskTaken', text: action.text });
    if (action.type === 'editTask') await page.tellSurely({ type: 'taskEdited', id: action.id, text: action.text });
    await shown.showDone();
    const done = this.doneText(action);
    if (done !== undefined) await page.tell({ type: 'announce', text: done });
  }

  async addComment(text: string): Promise<void> {
    const { needs, page, shown } = this;
    const { begun, unsaved } = this.written;
    const { storyId } = shown.name;
    let isWaiting: boolean;
    if (begun.comment === text) await begun.keepComment('');
    try {
      const submitted = await submitIntents(needs, shown.key, [{ kind: 'comment', storyId, text }]);
      isWaiting = submitted.waiting !== undefined;
    } catch (thrown) {
      needs.log.error(thrown instanceof Error ? thrown : String(thrown));
      if (begun.comment === '') await begun.keepComment(text);
      if (page.isClosed) return unsaved.giveBack('commentReturned', text);
      await page.tellSurely({ type: 'commentRefused', text, problem: messageOf(thrown) });
      return;
    }
    await page.tell({ type: 'commentTaken', text });
    await shown.showComment(isWaiting);
  }

  private async perform(action: Action, story: Story): Promise<void> {
    const { key, name } = this.shown;
    if (action.type === 'paste') return this.attach({ key, story }, action.files);
    if (!isTaskAction(action)) return act(this.needs, { key, story }, action);
    const task = taskCommand(story, action, this.taskOrder);
    if (!task) return;
    try {
      await vscode.commands.executeCommand(task.command, { ...name, ...task.argument, ...TOLD_HERE });
    } finally {
      if (task.command === commandIds.moveTask) this.taskOrder.ended();
    }
  }

  /** Of what is not even tried the page takes back out what refers to it. */
  private async attach(found: FoundStory, files: readonly PastedFile[]): Promise<void> {
    let sent: unknown;
    try {
      sent = await vscode.commands.executeCommand(commandIds.attachPasted, new GivenStory(found), files);
    } finally {
      const left = files.map(({ name }) => name).filter((name) => !Array.isArray(sent) || !sent.includes(name));
      if (left.length > 0) await this.page.tellSurely({ type: 'notAttached', names: left });
    }
  }

  /** What a screen reader says when it is done; `undefined` where it shows by itself. */
  private doneText(action: Action): string | undefined {
    const story = this.shown.story();
    if (!story) return undefined;
    if (action.type === 'state') return this.texts.stateIs(stateWord(story.state));
    if (action.type !== 'moveTask' && action.type !== 'dropTask') return undefined;
    const { tasks } = story;
    return this.texts.taskMoved(tasks.findIndex(({ id }) => id === action.id) + 1, tasks.length);
  }

  /** Gives back what was typed. What someone else wrote instead is shown first. */
  private async tellRefused(action: Action, thrown: unknown): Promise<void> {
    const { needs, page, shown } = this;
    if (action.type !== 'newTask' && action.type !== 'editTask') return page.tellProblem(thrown);
    needs.log.error(thrown instanceof Error ? thrown : String(thrown));
    const { text } = action;
    const problem = messageOf(thrown);
    if (page.isClosed) {
      const { unsaved } = this.written;
      await (action.type === 'newTask' ? unsaved.giveBack('taskReturned', text) : unsaved.tell());
      return;
    }
    if (action.type === 'newTask') return page.tellSurely({ type: 'taskRefused', text, problem });
    await shown.read().catch((again: unknown) => needs.log.debug(messageOf(again)));
    await page.tellSurely({ type: 'taskEditRefused', id: action.id, text, problem });
  }
}

/** What the page asks for beside what it tells of its fields and of itself. */
type Action = Exclude<
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
type OtherAction = Exclude<Action, TaskAction | { readonly type: 'paste' }>;

/** Has a command reject what goes wrong, so that the page says it. */
const TOLD_HERE = { caller: 'program' satisfies Caller } as const;

/** As whom the page calls each command. Start Story… and Finish Story… ask a person what to do, and a program not. */
const CALLERS: Readonly<Record<StoryCommand, Caller>> = {
  startStory: 'person',
  finishStory: 'person',
  insertMarker: 'program',
  linkCommits: 'program',
  changeState: 'program',
  estimateStory: 'program',
  ownStory: 'program',
  giveStoryUp: 'program',
  linkTicket: 'program',
  openTicket: 'program',
  unlinkTicket: 'program',
};

/** Does what a button, box or link of the page asks for. @throws whatever keeps it from being done. */
async function act({ addTask }: ActionNeeds, found: FoundStory, action: OtherAction): Promise<void> {
  const story = new GivenStory(found);
  const run = (command: string, ...args: readonly unknown[]) => vscode.commands.executeCommand(command, story, ...args);
  if (action.type === 'state') await run(commandIds.changeState, { state: action.state, ...TOLD_HERE });
  else if (action.type === 'browser') await run(commandIds.openInBrowser);
  else if (action.type === 'undo') await vscode.commands.executeCommand(commandIds.undo);
  else if (action.type === 'redo') await vscode.commands.executeCommand(commandIds.redo);
  else if (action.type === 'attach') await run(commandIds.attachFiles);
  else if (action.type === 'saveAllAttachments') await run(commandIds.saveAllAttachments);
  else if (action.type === 'newTask') await addTask(found, action.text);
  else if (action.type === 'command') await run(commandIds[action.command], { caller: CALLERS[action.command] });
  else if (action.type === 'link' || action.type === 'story') await followLink(found.key, action);
  else await run(commandIds[action.type], { attachmentId: action.id, caller: 'person' satisfies Caller });
}

/** Opens what a text of this project links. @throws TrackerError for what is no address of the web */
export async function followLink(key: ProjectKey, action: LinkAction): Promise<void> {
  if (action.type === 'story') await openMentioned(key, action.id);
  else if (action.hash !== undefined) await openCommit(action.hash, action.address);
  else await openLink(action.address);
}

/** Whether the address is of a page is looked at there. */
async function openCommit(commitId: string, address: string): Promise<void> {
  await vscode.commands.executeCommand(commandIds.openCommit, { commitId, address, ...TOLD_HERE });
}

/** Only the web and mail: what a server names must not start other programs. */
async function openLink(address: string): Promise<void> {
  const link = safeLink(address);
  if (link === undefined) throw new TrackerError('refused', vscode.l10n.t('This link does not lead to a web page.'));
  await vscode.env.openExternal(vscode.Uri.parse(link, true));
}
