import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { ToldActivity } from '../../core/replica/replica.ts';
import type { Activity } from '../../core/story/activity.ts';
import type { Project } from '../../core/story/project.ts';
import { keyText } from '../../core/story/projectKey.ts';
import { plainMarkdown } from '../../host/shell/html.ts';
import { plainLine, withoutControls } from '../../host/shell/plainText.ts';
import { age, happening, readerTexts } from './activityTexts.ts';
import { type ActivityRow, OlderRow, StoryActivityRow } from './threads.ts';

interface ItemContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly language: string;
  /** By `keyText`. */
  readonly projects: ReadonlyMap<string, Project>;
}

/** How a row of the view is painted: what happened, who did it and when; unread ones with a dot. */
export function activityItem(row: ActivityRow, context: ItemContext): vscode.TreeItem {
  if (row instanceof OlderRow) return olderItem();
  const { latest } = row;
  const before = row instanceof StoryActivityRow ? row.before : [];
  const { Collapsed, None } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(happeningOf(latest).text || nothingSaid(), before.length > 0 ? Collapsed : None);
  const unread = [latest, ...before].filter(({ isUnread }) => isUnread).length;
  item.id = row.id;
  item.description = descriptionOf(latest, context);
  item.iconPath =
    unread > 0
      ? new vscode.ThemeIcon('circle-filled', new vscode.ThemeColor('charts.blue'))
      : new vscode.ThemeIcon(activityIcon(latest.activity));
  item.tooltip = activityHover(latest, context);
  item.accessibilityInformation = { label: spoken(latest, before.length, unread, context) };
  const isThere = row instanceof StoryActivityRow && latest.activity.eventType !== 'story_delete';
  item.contextValue = isThere ? 'story.activity' : 'activity';
  if (isThere) {
    item.command = { command: commandIds.openStory, title: vscode.l10n.t('Open Story'), arguments: [row] };
  }
  return item;
}

function happeningOf({ activity, isOwn, ownName }: ToldActivity) {
  const name = ownName === undefined ? {} : { name: ownName };
  return happening(activity, { isAuthor: isOwn, ...name, texts: readerTexts(vscode) });
}

function descriptionOf(told: ToldActivity, context: ItemContext): string {
  const { author = '', occurredAt } = told.activity;
  const there = context.projects.get(keyText(told.project));
  const who = told.isOwn ? vscode.l10n.t('You') : plainLine(author);
  const when = occurredAt && plainLine(age(occurredAt, { ...context, style: 'short' }));
  const where = context.projects.size > 1 && there ? plainLine(there.name) : undefined;
  return [happeningOf(told).isNamed ? undefined : who, when, where].filter((part) => part).join(' · ');
}

function spoken(told: ToldActivity, before: number, unread: number, context: ItemContext): string {
  const { activity, project } = told;
  const there = context.projects.get(keyText(project));
  return [
    unread > 0 ? unreadText(unread, before + 1) : undefined,
    happeningOf(told).text || nothingSaid(),
    activity.occurredAt && plainLine(age(activity.occurredAt, { ...context, style: 'long' })),
    context.projects.size > 1 && there ? plainLine(there.name) : undefined,
    before > 0 ? beforeText(before) : undefined,
  ]
    .filter((part) => part)
    .join(', ');
}

function nothingSaid(): string {
  return vscode.l10n.t('Something happened');
}

function unreadText(unread: number, all: number): string {
  return all > 1 ? vscode.l10n.t('{0} unread', unread) : vscode.l10n.t('Unread');
}

function beforeText(count: number): string {
  return count === 1 ? vscode.l10n.t('1 earlier activity') : vscode.l10n.t('{0} earlier activities', count);
}

function olderItem(): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Show More…'));
  item.id = 'older';
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.contextValue = 'more';
  item.command = { command: commandIds.showOlderActivity, title: vscode.l10n.t('Show More') };
  item.accessibilityInformation = { label: vscode.l10n.t('Show older activity') };
  return item;
}

const TEXT_SHOWN = 2000;

interface HoverContext {
  readonly language: string;
  readonly projects: ReadonlyMap<string, Project>;
}

/** The whole of what happened. All text of the server is escaped: it is data, not Markdown. */
function activityHover({ activity, project }: ToldActivity, context: HoverContext): vscode.MarkdownString {
  const { author, description, occurredAt, stories } = activity;
  const hover = new vscode.MarkdownString();
  hover.isTrusted = false;
  hover.supportHtml = false;
  const text = withoutControls(description).trim();
  hover.appendMarkdown(plainMarkdown(text.length > TEXT_SHOWN ? `${text.slice(0, TEXT_SHOWN)}…` : text));
  const when = occurredAt?.time === undefined ? occurredAt?.text : moment(occurredAt.time, context.language);
  const numbers = stories.map(({ id }) => `#${id}`).join(' ');
  const lines = [
    joined(author && plainLine(author), when && plainLine(when)),
    joined(numbers, plainLine(context.projects.get(keyText(project))?.name ?? '')),
  ];
  for (const line of lines.filter((one) => one !== '')) hover.appendMarkdown(`\n\n${plainMarkdown(line)}`);
  return hover;
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part).join(' · ');
}

function moment(time: number, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short' }).format(time);
}

const byState: Readonly<Record<string, string>> = {
  started: 'play',
  finished: 'check',
  delivered: 'package',
  accepted: 'pass',
  rejected: 'error',
};

const byKind: Readonly<Record<string, string>> = {
  note: 'comment',
  comment: 'comment',
  attachment: 'attach',
  task: 'tasklist',
};

/** Codicon of what happened; a plain one for event types we do not know. */
function activityIcon({ eventType, stories }: Activity): string {
  const [kind = '', what] = eventType.split('_');
  const ofKind = Object.hasOwn(byKind, kind) ? byKind[kind] : undefined;
  if (ofKind) return ofKind;
  const state = stories.find(({ changed }) => changed.state !== undefined)?.changed.state ?? '';
  if (what === 'create') return 'add';
  if (what === 'delete') return 'trash';
  if (Object.hasOwn(byState, state)) return byState[state] ?? 'edit';
  return what === 'update' ? 'edit' : 'pulse';
}
