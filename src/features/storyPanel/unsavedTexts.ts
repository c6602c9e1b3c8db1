import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { kindOf } from '../../core/errors.ts';
import type { App } from '../../host/app.ts';
import type { BegunText, BegunTexts } from './draftMemory.ts';
import type { FieldEditing } from './fieldEditing.ts';
import type { PanelStory, ToPage } from './panelMessages.ts';
import type { PanelTexts } from './panelTexts.ts';
import type { Draft } from './storyDrafts.ts';

/** A tab that shows a story. */
export interface OpenTab {
  /** Discards these in its page, where they can be restored. */
  discard(drafts: readonly Draft[], begun: BegunText | undefined): void;
}

/** What is written in a tab, and of which story. */
interface Written {
  readonly story: PanelStory;
  readonly editing: FieldEditing;
  readonly begun: BegunTexts;
  /** The tab that the story has again, which shows what is written. */
  openTab(): OpenTab | undefined;
}

/** What was written in a tab and not saved, once the tab is closed: VS Code lets nobody keep it open. */
export class UnsavedTexts {
  private readonly messages: Pick<App['messages'], 'error' | 'info'>;
  private readonly written: Written;
  private readonly texts: PanelTexts;

  constructor(messages: UnsavedTexts['messages'], written: Written, texts: PanelTexts) {
    this.messages = messages;
    this.written = written;
    this.texts = texts;
  }

  /**
   * Asks what is to become of it; of what is on its way only when it was refused. A story that is gone, from all projects that one has,
   * cannot be opened again. `untold` is what the page was still to hear.
   */
  async tabClosed(isGone: boolean, untold: readonly ToPage[]): Promise<void> {
    await Promise.all([this.askAboutWriting(isGone), this.giveBackUntold(untold)]);
  }

  /** Keeps for the next tab of the story what was not taken, and says so. */
  async giveBack(list: 'taskReturned' | 'commentReturned', text: string): Promise<void> {
    const { begun } = this.written;
    if (list !== 'commentReturned' || begun.comment !== text) await begun.giveBack(list, text);
    await this.tell();
  }

  /** Says that something was not taken, which the next tab of the story shows. */
  async tell(): Promise<void> {
    const { unsavedText, openAgain } = this.texts.writing;
    const answer = await this.messages.info(unsavedText(this.written.story.storyId), openAgain);
    if (answer === openAgain) await this.openAgain();
  }

  private async askAboutWriting(isGone: boolean): Promise<void> {
    if (isGone) return this.askAboutGone();
    const { editing, begun } = this.written;
    const asked = editing.unsaved.map(({ field }) => field);
    const asking = this.askAboutDrafts(begun.unsaved);
    await editing.whenSaved();
    if (editing.unsaved.some(({ field }) => !asked.includes(field))) await this.askAboutDrafts();
    await asking;
  }

  private async askAboutDrafts(unsaved?: BegunText): Promise<void> {
    const { editing, story, begun } = this.written;
    const { unsavedText, openAgain, discard } = this.texts.writing;
    const drafts = editing.unsaved;
    if (drafts.length === 0 && !unsaved) return;
    const answer = await this.messages.info(unsavedText(story.storyId), openAgain, discard);
    if (answer === openAgain) await this.openAgain();
    if (answer !== discard) return;
    const tab = this.written.openTab();
    // What an open tab shows is not taken away behind the person's back.
    if (tab) {
      tab.discard(drafts, unsaved);
      return;
    }
    await editing.discardAll(drafts);
    if (unsaved) await begun.discard(unsaved);
  }

  private async giveBackUntold(untold: readonly ToPage[]): Promise<void> {
    for (const message of untold) {
      if (message.type === 'taskRefused') await this.giveBack('taskReturned', message.text);
      if (message.type === 'commentRefused') await this.giveBack('commentReturned', message.text);
    }
  }

  private async openAgain(): Promise<void> {
    try {
      await vscode.commands.executeCommand(commandIds.openStory, this.written.story);
    } catch (thrown) {
      if (kindOf(thrown) === 'notFound') await this.askAboutGone();
      else this.messages.error(thrown);
    }
  }

  /** The text is shown as a file that was not saved, since there is no other place for it. */
  private async askAboutGone(): Promise<void> {
    const { story, editing, begun } = this.written;
    const { comment: commentTitle, task: taskTitle } = this.texts;
    const { gone, showText, discard, labels } = this.texts.writing;
    const { comment, others } = begun;
    const drafts = editing.kept.filter(({ text }) => text.trim() !== '');
    const { task, taskEdits, taskReturned, commentReturned } = others;
    const sections = [
      ...drafts.map(({ field, text }) => [labels[field], text] as const),
      ...[comment, ...commentReturned].map((text) => [commentTitle, text] as const),
      ...[task, ...taskEdits.map(({ text }) => text), ...taskReturned].map((text) => [taskTitle, text] as const),
    ].flatMap(([title, text]) => (text.trim() === '' ? [] : [`## ${title}\n\n${text}\n`]));
    if (sections.length === 0) return;
    const answer = await this.messages.info(gone(story.storyId), showText, discard);
    if (answer === undefined) return;
    if (answer === showText) {
      const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: sections.join('\n') });
      await vscode.window.showTextDocument(document, { preview: false });
    }
    await editing.discardAll(drafts);
    await begun.discard({ comment, others });
  }
}
