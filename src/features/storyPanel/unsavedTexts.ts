import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { kindOf } from '../../core/errors.ts';
import type { App } from '../../host/app.ts';
import { BegunTexts } from './begunTexts.ts';
import type { FieldEditing } from './fieldEditing.ts';
import { keptTexts } from './keptTexts.ts';
import type { PanelStory } from './panelMessages.ts';
import type { PanelTexts } from './panelTexts.ts';

type Needs = Pick<App, 'messages' | 'workspaceMemory'>;

/** A tab that was closed, and what was written in it. */
interface ClosedTab {
  readonly story: PanelStory;
  readonly editing: FieldEditing;
  /** No project that one has lists the story any more, so that it cannot be opened again. */
  readonly isGone: boolean;
}

/** VS Code lets nobody keep a tab from being closed, so that what was not saved is kept, and asked about then. */
export async function askAboutUnsaved(needs: Needs, tab: ClosedTab, texts: PanelTexts): Promise<void> {
  if (tab.isGone) return askAboutGone(needs, tab, texts);
  const { editing, story } = tab;
  const { unsavedText, openAgain, discard } = texts.writing;
  const drafts = editing.unsaved;
  if (drafts.length === 0) return;
  const answer = await needs.messages.info(unsavedText(story.storyId), openAgain, discard);
  if (answer === discard) await editing.discardAll(drafts);
  if (answer !== openAgain) return;
  try {
    await vscode.commands.executeCommand(commandIds.openStory, story);
  } catch (thrown) {
    if (kindOf(thrown) === 'notFound') await askAboutGone(needs, tab, texts);
    else needs.messages.error(thrown);
  }
}

/** The text is shown as a file that was not saved, since there is no other place for it. */
async function askAboutGone(
  { messages, workspaceMemory }: Needs,
  { story, editing }: ClosedTab,
  texts: PanelTexts,
): Promise<void> {
  const { gone, showText, discard, labels } = texts.writing;
  const begun = new BegunTexts(workspaceMemory, story);
  const { comment, others } = begun;
  const drafts = editing.kept.filter(({ text }) => text.trim() !== '');
  const { task, taskEdits, taskReturned, commentReturned } = others;
  const sections = [
    ...drafts.map(({ field, text }) => [labels[field], text] as const),
    ...[comment, ...commentReturned].map((text) => [texts.comment, text] as const),
    ...[task, ...taskEdits.map(({ text }) => text), ...taskReturned].map((text) => [texts.task, text] as const),
  ].flatMap(([title, text]) => (text.trim() === '' ? [] : [`## ${title}\n\n${text}\n`]));
  if (sections.length === 0) return;
  const answer = await messages.info(gone(story.storyId), showText, discard);
  if (answer === undefined) return;
  if (answer === showText) {
    const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: sections.join('\n') });
    await vscode.window.showTextDocument(document, { preview: false });
  }
  await editing.discardAll(drafts);
  if (begun.comment === comment) await begun.keepComment('');
  if (JSON.stringify(begun.others) === JSON.stringify(others)) await begun.keepOthers(keptTexts(undefined));
}
