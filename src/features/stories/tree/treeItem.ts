import * as vscode from 'vscode';
import { commandIds } from '../../../commandIds.ts';
import type { Project } from '../../../core/story/project.ts';
import { visibleLine, withoutControls } from '../../../core/text.ts';
import { BUILT_IN_ID } from '../../../host/accounts/account.ts';
import { iconOfType } from '../../../host/story/storyIcons.ts';
import {
  DoneSearchNode,
  type GroupKind,
  GroupNode,
  IterationNode,
  MoreNode,
  type NoticeAction,
  NoticeNode,
  ProjectNode,
  SavedFilterNode,
  StoryNode,
  type TreeNode,
} from '../../../host/tree/nodes.ts';
import { nodeId } from './rows.ts';
import { colourOfState, detailItem, storyItem } from './storyItem.ts';
import type { StoryTree } from './storyTree.ts';
import { countedOf, countedStories, groupTexts, iterationTexts } from './treeTexts.ts';

const LONGEST_LABEL = 300;
const LONGEST_TOOLTIP = 2000;

/** How a row is painted. */
export function treeItem(node: TreeNode, tree: StoryTree): vscode.TreeItem {
  const item = legible(itemOf(node, tree));
  item.id = itemId(node, tree);
  return item;
}

/** VS Code keeps rows open or closed by id: filtered ones open anew, and the others are as they were afterwards. */
export function itemId(node: TreeNode, tree: StoryTree): string {
  const isGroup = node instanceof ProjectNode || node instanceof IterationNode || node instanceof GroupNode;
  return isGroup && tree.shape.filter ? `filtered/${nodeId(node)}` : nodeId(node);
}

/** Servers name people, labels, files and states as they like; a row shows so much of it, and nothing that turns it. */
function legible(item: vscode.TreeItem): vscode.TreeItem {
  const { label, description, tooltip, accessibilityInformation } = item;
  if (typeof label === 'string') item.label = visibleLine(label, LONGEST_LABEL);
  if (typeof description === 'string') item.description = visibleLine(description, LONGEST_LABEL);
  if (typeof tooltip === 'string') item.tooltip = withoutControls(tooltip.slice(0, LONGEST_TOOLTIP));
  if (accessibilityInformation) {
    const spoken = visibleLine(accessibilityInformation.label, LONGEST_TOOLTIP);
    item.accessibilityInformation = { ...accessibilityInformation, label: spoken };
  }
  return item;
}

function itemOf(node: TreeNode, tree: StoryTree): vscode.TreeItem {
  if (node instanceof ProjectNode) return projectItem(node, tree);
  if (node instanceof IterationNode) return iterationItem(node, tree.projectOf(node.key), tree.doneCount(node.key));
  if (node instanceof GroupNode) return groupItem(node);
  if (node instanceof StoryNode) return storyItem(node, tree.projectOf(node.key), tree.isActive(node));
  if (node instanceof SavedFilterNode) return savedFilterItem(node);
  if (node instanceof MoreNode) return moreItem(node);
  if (node instanceof DoneSearchNode) return doneSearchItem(node);
  if (node instanceof NoticeNode) return noticeItem(node);
  return detailItem(node);
}

function projectItem(node: ProjectNode, tree: StoryTree): vscode.TreeItem {
  const { project } = node;
  const count = tree.countIn(node.key);
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(project.name, tree.isOpenAtFirst(node) ? Expanded : Collapsed);
  const counts = count && countedOf(count.shown, count.total);
  item.description = [counts, node.account].filter((part) => part).join(' · ');
  const isPinned = tree.isPinned(node.key);
  item.iconPath = new vscode.ThemeIcon(isPinned ? 'pinned' : 'project');
  const isBuiltIn = node.key.accountId === BUILT_IN_ID;
  item.contextValue = `project${isPinned ? '.pinned' : ''}${isBuiltIn ? '.builtIn' : ''}`;
  item.tooltip = [project.name, node.account, project.account, velocityText(project.currentVelocity)]
    .filter((line) => line)
    .join('\n');
  const spoken = vscode.l10n.t('Project {0}', project.name);
  const counted = count && vscode.l10n.t('{0} of {1} stories shown', count.shown, count.total);
  const pinned = isPinned && vscode.l10n.t('pinned');
  item.accessibilityInformation = { label: [spoken, node.account, pinned, counted].filter((part) => part).join(', ') };
  return item;
}

function velocityText(velocity: number | undefined): string | undefined {
  return velocity === undefined ? undefined : vscode.l10n.t('Velocity: {0}', velocity);
}

function moreItem(node: MoreNode): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Show More…'));
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.contextValue = 'more';
  item.command = { command: commandIds.loadMoreDone, title: vscode.l10n.t('Show More'), arguments: [node] };
  item.accessibilityInformation = { label: vscode.l10n.t('Show more done iterations') };
  return item;
}

function noticeItem(node: NoticeNode): vscode.TreeItem {
  const { text, isQuiet, action } = node;
  if (text === undefined) return loadingItem();
  const item = new vscode.TreeItem(text);
  item.iconPath = isQuiet
    ? new vscode.ThemeIcon('info')
    : new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  if (action === 'showHiddenProjects') item.iconPath = new vscode.ThemeIcon('eye-closed');
  item.contextValue = 'notice';
  item.tooltip = text;
  if (action) {
    const title = actionTitles()[action];
    item.description = title;
    item.command = { command: commandIds[action], title, arguments: argumentsOf(node) };
  }
  item.accessibilityInformation = { label: [text, item.description].filter(Boolean).join(', ') };
  return item;
}

/** What the command of a row is about. */
function argumentsOf(node: NoticeNode): unknown[] {
  if (node.action === 'signIn') return [node];
  const isAboutParent = node.action === 'newStoryInTab' || node.action === 'editFilter';
  return isAboutParent && node.parent ? [node.parent] : [];
}

function actionTitles(): Readonly<Record<NoticeAction, string>> {
  return {
    checkConnection: vscode.l10n.t('Check Connection…'),
    clearFilter: vscode.l10n.t('Clear Filter'),
    editFilter: vscode.l10n.t('Edit Filter…'),
    newStoryInTab: vscode.l10n.t('New Story…'),
    refresh: vscode.l10n.t('Try Again'),
    showHiddenProjects: vscode.l10n.t('Show…'),
    signIn: vscode.l10n.t('Sign In Again…'),
  };
}

function loadingItem(): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Loading…'));
  item.iconPath = new vscode.ThemeIcon('loading~spin');
  item.contextValue = 'notice';
  item.accessibilityInformation = { label: vscode.l10n.t('Loading more stories of this project') };
  return item;
}

/** The row that says that done iterations are not searched, and has them searched. */
function doneSearchItem(node: DoneSearchNode): vscode.TreeItem {
  const { progress } = node;
  const item = new vscode.TreeItem(labelOf(node));
  item.contextValue = `search.${progress.state}`;
  item.iconPath = new vscode.ThemeIcon(progress.state === 'searching' ? 'loading~spin' : 'search');
  if (progress.state === 'failed') item.tooltip = progress.problem;
  const problem = progress.state === 'failed' ? [progress.problem] : [];
  if (progress.state !== 'searching') {
    const title = vscode.l10n.t('Search Done Iterations');
    item.description = progress.state === 'failed' ? vscode.l10n.t('Search Again') : vscode.l10n.t('Search');
    item.command = { command: commandIds.searchDone, title, arguments: [node] };
  }
  item.accessibilityInformation = { label: [labelOf(node), ...problem, item.description].filter(Boolean).join(', ') };
  return item;
}

function labelOf({ progress }: DoneSearchNode): string {
  if (progress.state === 'searching') return vscode.l10n.t('Searching done iterations…');
  return progress.state === 'failed'
    ? vscode.l10n.t('Could not search done iterations')
    : vscode.l10n.t('Done iterations that are not loaded are not searched');
}

/** The row of a saved filter; what fits it is below. */
function savedFilterItem({ name, text, found, isPartial }: SavedFilterNode): vscode.TreeItem {
  const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Collapsed);
  const count = found.length;
  item.description = isPartial ? vscode.l10n.t('{0} or more', count) : String(count);
  item.iconPath = new vscode.ThemeIcon('filter');
  item.contextValue = 'savedFilter';
  item.tooltip = [name, text].join('\n');
  const counted = isPartial ? vscode.l10n.t('{0} stories or more', count) : countedStories(count);
  item.accessibilityInformation = { label: [vscode.l10n.t('Filter {0}', name), counted].join(', ') };
  return item;
}

/** The row of stories that have something in common. */
function groupItem(node: GroupNode): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const { label, description, spoken } = groupTexts(node);
  const item = new vscode.TreeItem(label, isOpenedByFilter(node) ? Expanded : Collapsed);
  item.description = description;
  item.tooltip = spoken;
  item.iconPath = iconOf(node);
  item.contextValue = `group.${node.by}`;
  item.accessibilityInformation = { label: spoken };
  return item;
}

function iconOf({ by, value }: GroupNode): vscode.ThemeIcon {
  if (by === 'type') return new vscode.ThemeIcon(iconOfType(value ?? ''));
  if (by === 'owner') return new vscode.ThemeIcon('person');
  if (by === 'label') return new vscode.ThemeIcon('tag');
  const colour = colourOfState(value ?? '');
  return new vscode.ThemeIcon('circle-large-filled', colour ? new vscode.ThemeColor(colour) : undefined);
}

const iconOfGroup: Readonly<Record<GroupKind, string>> = {
  current: 'play-circle',
  backlog: 'calendar',
  done: 'check-all',
  icebox: 'archive',
};

/** The row of an iteration, of the icebox, or of all done iterations together. */
function iterationItem(node: IterationNode, project: Project | undefined, doneCount: number): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const { label, description, spoken, tooltip } = iterationTexts(node, project, doneCount);
  const state = node.group === 'current' || isOpenedByFilter(node) ? Expanded : Collapsed;
  const isEmpty = node.stories.length === 0 && node.group !== 'done';
  const item = new vscode.TreeItem(label, isEmpty ? vscode.TreeItemCollapsibleState.None : state);
  item.description = description;
  item.tooltip = tooltip;
  // With an icon VS Code indents the stories of all iterations alike, whether or not one of them can be expanded.
  item.iconPath = new vscode.ThemeIcon(iconOfGroup[node.group]);
  item.contextValue = `iteration.${node.group}`;
  item.accessibilityInformation = { label: spoken };
  return item;
}

/** So many stories are shown at once; a row with more is opened by hand. */
const OPENED_AT_MOST = 200;

/** With a filter, whatever holds what was looked for opens by itself. */
function isOpenedByFilter({ stories, total }: Pick<IterationNode, 'stories' | 'total'>): boolean {
  return total !== undefined && stories.length <= OPENED_AT_MOST;
}
