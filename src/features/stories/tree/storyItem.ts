import { join } from 'node:path';
import * as vscode from 'vscode';
import { commandIds } from '../../../commandIds.ts';
import { stateWord, typeWord } from '../../../core/backlog/stateWords.ts';
import { isPendingStory, isUnsent } from '../../../core/intents/edit.ts';
import { isPendingTask } from '../../../core/intents/newTask.ts';
import type { ShownCommit } from '../../../core/outbox/withUnsentIntents.ts';
import type { Attachment } from '../../../core/story/attachment.ts';
import type { Project } from '../../../core/story/project.ts';
import { keyText } from '../../../core/story/projectKey.ts';
import { type Note, type Story, type Task, UNESTIMATED } from '../../../core/story/story.ts';
import { capitalized, shortHash, visibleLine } from '../../../core/text.ts';
import { initialsOf } from '../../../host/shell/plainText.ts';
import { attachmentUri } from '../../../host/story/attachmentUri.ts';
import { estimateText } from '../../../host/story/estimatedEdit.ts';
import { type StoryIcon, storyIcon } from '../../../host/story/storyIcons.ts';
import { storyLabel } from '../../../host/story/storyLabel.ts';
import { attachmentDetails, attachmentFacts } from '../../../host/story/theAttachment.ts';
import { type DetailNode, GroupNode, SavedFilterNode, type StoryNode } from '../../../host/tree/nodes.ts';
import { detailOf, noteLook, oneLine, pointsSign } from './rowFacts.ts';
import { groupLabel } from './treeTexts.ts';

const colours: Readonly<Record<string, string>> = {
  started: 'charts.blue',
  finished: 'charts.purple',
  delivered: 'charts.yellow',
  accepted: 'charts.green',
  rejected: 'charts.red',
};

/** Colour of a state, by theme; none for what is not begun. */
export function colourOfState(state: string): string | undefined {
  return colours[state];
}

/**
 * What VS Code runs where a row is clicked. It names no row, since each argument is kept by VS Code for as long as its row is
 * there: the row is selected by then.
 */
const PREVIEW: vscode.Command = { command: commandIds.previewStory, title: '' };

/**
 * The row of a story. A click shows it in the preview tab; expanding it shows its tasks, attachments and comments. One that is
 * worked on has the bookmark of the status bar instead of its type's shape.
 */
export function storyItem(node: StoryNode, project: Project | undefined, isActive: boolean): vscode.TreeItem {
  const { story } = node;
  const hasDetails = story.tasks.length + story.attachments.length + story.notes.length > 0;
  const { Collapsed, None } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(rowLabel(story, project), hasDetails ? Collapsed : None);
  item.description = storyDescription(story, project, isActive);
  item.iconPath = iconOf(storyIcon(story.type, story.state, isActive));
  item.contextValue = contextOf(story, isActive);
  item.command = PREVIEW;
  item.accessibilityInformation = { label: spokenStory(node, isActive) };
  return item;
}

const iconUris = new WeakMap<StoryIcon, { readonly light: vscode.Uri; readonly dark: vscode.Uri }>();

function iconOf(icon: StoryIcon) {
  const uris = iconUris.get(icon) ?? { light: iconUri(icon.light), dark: iconUri(icon.dark) };
  iconUris.set(icon, uris);
  return uris;
}

/** Beside `dist`, where this is by then. */
function iconUri(name: string): vscode.Uri {
  return vscode.Uri.file(join(__dirname, '..', 'media', 'stories', name));
}

/** Number and points first: it is the end of a long name that VS Code cuts off in a narrow side bar. */
function rowLabel(story: Story, project: Project | undefined): string {
  const number = isPendingStory(story) ? undefined : `#${story.id}`;
  const name = number === undefined || story.name.trim() !== '' ? storyLabel(story) : undefined;
  return [number, pointsSign(story, project), name].filter((part) => part !== undefined).join(' ');
}

/** What menus ask of a row. One that no server has yet can only be opened, copied and deleted: all else needs its number. */
function contextOf(story: Story, isActive: boolean): string {
  if (isPendingStory(story)) return 'storyUnsent';
  const hasFiles = story.attachments.length > 0;
  const facts = [
    story.ticket && 'ticket',
    story.ownedBy !== undefined && 'owned',
    hasFiles && 'attached',
    isActive && 'active',
  ];
  return ['story', story.type, story.state, ...facts.filter((fact) => fact)].join('.');
}

/**
 * What is not sent first, then what is worked on, all short: what is cut off in a narrow side bar is at the end. Points are in the
 * label; what its sign for none means is told here.
 */
function storyDescription(story: Story, project: Project | undefined, isActive: boolean): string {
  const owner = story.ownedBy === undefined ? undefined : initialsOf(story.ownedBy, project);
  const unsent = isUnsent(story) || isPendingStory(story) ? vscode.l10n.t('not sent yet') : undefined;
  const active = isActive ? vscode.l10n.t('active') : undefined;
  return [unsent, active, missingEstimate(story), stateWord(story.state), owner].filter((part) => part).join(' · ');
}

function missingEstimate(story: Story): string | undefined {
  return story.estimate === UNESTIMATED ? estimateText(story) : undefined;
}

const places = new WeakMap<readonly unknown[], ReadonlyMap<string, number>>();

/** What a screen reader says of a story's row: type, state, full name, points, and its place (contract.md). */
function spokenStory(node: StoryNode, isActive = false): string {
  const { story } = node;
  const { type, state } = story;
  const unsent = isUnsent(story) ? vscode.l10n.t('not sent yet') : undefined;
  const active = isActive ? vscode.l10n.t('active story') : undefined;
  return [
    capitalized(typeWord(type)),
    stateWord(state),
    active,
    fullName(story),
    estimateText(story),
    unsent,
    whereOf(node),
  ]
    .filter((part) => part)
    .join(', ');
}

/** What is longer than this is no name, and would keep VS Code from telling the rest. */
const LONGEST_SPOKEN = 1500;

function fullName(story: Story): string {
  return story.name.trim() === '' ? storyLabel(story) : visibleLine(story.name, LONGEST_SPOKEN);
}

function whereOf({ key, story, parent }: StoryNode): string {
  if (parent instanceof SavedFilterNode) {
    const place = placeIn(parent.found, (one) => `${keyText(one.key)}/${one.story.id}`, `${keyText(key)}/${story.id}`);
    return vscode.l10n.t('{0} of {1} in {2}', place, parent.found.length, parent.name);
  }
  const place = placeIn(parent.stories, ({ id }) => String(id), String(story.id));
  const total = parent.stories.length;
  if (parent instanceof GroupNode) return vscode.l10n.t('{0} of {1} in {2}', place, total, groupLabel(parent));
  if (parent.iteration) return vscode.l10n.t('{0} of {1} in iteration {2}', place, total, parent.iteration.number);
  return parent.group === 'done'
    ? vscode.l10n.t('{0} of {1} in done iterations', place, total)
    : vscode.l10n.t('{0} of {1} in the icebox', place, total);
}

/** 1-based. Looked up rather than searched, so that painting a long list stays linear. */
function placeIn<T>(list: readonly T[], nameOf: (item: T) => string, name: string): number {
  const known = places.get(list) ?? new Map(list.map((item, index) => [nameOf(item), index + 1]));
  places.set(list, known);
  return known.get(name) ?? 0;
}

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
  item.contextValue = isPendingTask({ id }) ? 'taskUnsent' : complete ? 'task.done' : 'task.open';
  const label = complete
    ? vscode.l10n.t('Task, done, {0}', description)
    : vscode.l10n.t('Task, open, {0}', description);
  item.accessibilityInformation = { label };
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
  const { author } = note;
  const { commit, summary, link } = noteLook(note);
  const item = commit ? commitItem(node, commit, summary, author) : commentItem(summary, author);
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

const commitIcons = { waiting: 'clock', sending: 'sync', linked: 'git-commit', failed: 'error' } as const;

/** The row of a commit: its id, its subject and whether the server has it. One that it does not have leads to what can be done. */
function commitItem(
  node: DetailNode,
  commit: ShownCommit,
  summary: string,
  author: string | undefined,
): vscode.TreeItem {
  const { state, hash, problem, url, entryId } = commit;
  const item = new vscode.TreeItem([hash && shortHash(hash), summary].filter((part) => part).join(' '));
  const word = linkWord(state);
  item.iconPath = new vscode.ThemeIcon(
    commitIcons[state],
    state === 'failed' ? new vscode.ThemeColor('errorForeground') : undefined,
  );
  item.description = [word, problem, author].filter((part) => part).join(' · ');
  item.contextValue = `commit.${state}${hash === undefined ? '' : '.id'}${url === undefined ? '' : '.link'}`;
  const spoken = [vscode.l10n.t('Commit'), word, problem, author, hash && shortHash(hash), summary];
  item.accessibilityInformation = { label: spoken.filter((part) => part).join(', ') };
  if (entryId !== undefined) {
    const title = vscode.l10n.t('Show Unsent Changes');
    item.command = { command: commandIds.showOutbox, title, arguments: [{ entryId }] };
  } else if (hash !== undefined) {
    item.command = { command: commandIds.openCommit, title: vscode.l10n.t('Open Commit'), arguments: [node] };
  } else if (url !== undefined) {
    const title = vscode.l10n.t('Open in Browser');
    item.command = { command: commandIds.openInBrowser, title, arguments: [node] };
  }
  return item;
}

function linkWord(state: ShownCommit['state']): string {
  const words = {
    waiting: vscode.l10n.t('waiting'),
    sending: vscode.l10n.t('sending'),
    linked: vscode.l10n.t('linked'),
    failed: vscode.l10n.t('failed'),
  };
  return words[state];
}

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
