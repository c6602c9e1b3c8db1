import * as vscode from 'vscode';
import { commandIds } from '../../../commandIds.ts';
import { isPendingTask } from '../../../core/intents/newTask.ts';
import type { ShownCommit } from '../../../core/outbox/withUnsentIntents.ts';
import type { Attachment } from '../../../core/story/attachment.ts';
import type { Note, Task } from '../../../core/story/story.ts';
import { attachmentDetails, attachmentFacts } from '../../../host/story/attachmentFacts.ts';
import { attachmentUri } from '../../../host/story/attachmentUri.ts';
import type { DetailNode } from '../../../host/tree/nodes.ts';
import { detailOf, noteLook, oneLine } from './detail.ts';

/** The row of a task, an attachment or a comment. A comment with a link, as commits leave them, opens it. */
export function detailItem(node: DetailNode): vscode.TreeItem {
  const detail = detailOf(node);
  if (detail?.kind === 'task') return taskItem(detail.task);
  if (detail?.kind === 'attachment') return attachmentItem(detail.attachment, node);
  return detail ? noteItem(detail.note, node) : new vscode.TreeItem('');
}

function taskItem({ id, description, complete }: Task): vscode.TreeItem {
  const item = new vscode.TreeItem(oneLine(description));
  item.iconPath = new vscode.ThemeIcon(complete ? 'pass' : 'circle-large-outline');
  item.description = isPendingTask({ id }) ? vscode.l10n.t('not sent yet') : complete ? vscode.l10n.t('done') : '';
  item.tooltip = description;
  item.contextValue = isPendingTask({ id }) ? 'taskUnsent' : complete ? 'task.done' : 'task.open';
  const spoken = complete ? vscode.l10n.t('Task, done, {0}') : vscode.l10n.t('Task, open, {0}');
  item.accessibilityInformation = { label: spoken.replace('{0}', () => description) };
  return item;
}

/** VS Code lets a row with a `resourceUri` be dragged to editors. */
function attachmentItem(attachment: Attachment, { parent }: DetailNode): vscode.TreeItem {
  const { filename, description } = attachment;
  const item = new vscode.TreeItem(filename);
  item.resourceUri = attachmentUri(parent.key, parent.story.id, attachment);
  item.iconPath = new vscode.ThemeIcon('attach');
  item.description = attachmentFacts(attachment);
  item.tooltip = [filename, description, attachmentDetails(attachment)].filter((line) => line).join('\n');
  item.contextValue = 'attachment';
  const spoken = [filename, item.description].filter((part) => part).join(', ');
  item.accessibilityInformation = { label: vscode.l10n.t('Attachment, {0}', spoken) };
  return item;
}

function noteItem(note: Note, node: DetailNode): vscode.TreeItem {
  const { text, author, notedAt } = note;
  const { commit, summary, link } = noteLook(note);
  const item = commit ? commitItem(node, commit, summary, author) : commentItem(summary, author);
  item.tooltip = [text, [author, notedAt?.text].filter((part) => part).join(' · ')].join('\n\n');
  if (commit) return item;
  item.contextValue = link ? 'comment.link' : 'comment';
  if (link) {
    item.command = { command: commandIds.openInBrowser, title: vscode.l10n.t('Open in Browser'), arguments: [node] };
  }
  return item;
}

function commentItem(summary: string, author: string | undefined): vscode.TreeItem {
  const item = new vscode.TreeItem(summary);
  item.iconPath = new vscode.ThemeIcon('comment');
  item.description = author ?? '';
  const spoken = [vscode.l10n.t('Comment'), author, summary].filter((part) => part).join(', ');
  item.accessibilityInformation = { label: spoken };
  return item;
}

const HASH = 8;
const icons = { waiting: 'clock', sending: 'sync', linked: 'git-commit', failed: 'error' } as const;

/** The row of a commit: its id, its subject and whether the server has it. One that it does not have leads to what can be done. */
function commitItem(
  node: DetailNode,
  commit: ShownCommit,
  summary: string,
  author: string | undefined,
): vscode.TreeItem {
  const { state, hash, problem, url, entryId } = commit;
  const item = new vscode.TreeItem([hash?.slice(0, HASH), summary].filter((part) => part).join(' '));
  const word = stateWord(state);
  item.iconPath = new vscode.ThemeIcon(
    icons[state],
    state === 'failed' ? new vscode.ThemeColor('errorForeground') : undefined,
  );
  item.description = [word, problem, author].filter((part) => part).join(' · ');
  item.contextValue = url === undefined ? `commit.${state}` : `commit.${state}.link`;
  const spoken = [vscode.l10n.t('Commit'), word, problem, author, hash?.slice(0, HASH), summary];
  item.accessibilityInformation = { label: spoken.filter((part) => part).join(', ') };
  if (entryId !== undefined) {
    const title = vscode.l10n.t('Show Unsent Changes');
    item.command = { command: commandIds.showOutbox, title, arguments: [{ entryId }] };
  } else if (url !== undefined) {
    const title = vscode.l10n.t('Open in Browser');
    item.command = { command: commandIds.openInBrowser, title, arguments: [node] };
  }
  return item;
}

function stateWord(state: ShownCommit['state']): string {
  const words = {
    waiting: vscode.l10n.t('waiting'),
    sending: vscode.l10n.t('sending'),
    linked: vscode.l10n.t('linked'),
    failed: vscode.l10n.t('failed'),
  };
  return words[state];
}
