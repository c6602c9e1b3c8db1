import * as vscode from 'vscode';
import { commandIds } from '../../../commandIds.ts';
import { visibleLine, withoutControls } from '../../../core/text.ts';
import {
  DoneSearchNode,
  GroupNode,
  IterationNode,
  MoreNode,
  NoticeNode,
  ProjectNode,
  SavedFilterNode,
  StoryNode,
  type TreeNode,
} from '../../../host/tree/nodes.ts';
import { countedOf } from './counted.ts';
import { detailItem } from './detailItem.ts';
import { doneSearchItem } from './doneSearchItem.ts';
import { groupItem } from './groupItem.ts';
import { iterationItem } from './iterationItem.ts';
import { nodeId } from './nodeId.ts';
import { savedFilterItem } from './savedFilterItem.ts';
import { storyItem } from './storyItem.ts';
import type { StoryTree } from './storyTree.ts';

const LONGEST_LABEL = 300;
const LONGEST_TOOLTIP = 2000;

/** How a row is painted. */
export function treeItem(node: TreeNode, tree: StoryTree): vscode.TreeItem {
  const item = legible(itemOf(node, tree));
  // VS Code keeps rows open or closed by id: filtered ones open anew, and the others are as they were afterwards.
  const isGroup = node instanceof ProjectNode || node instanceof IterationNode || node instanceof GroupNode;
  item.id = isGroup && tree.shape.filter ? `filtered/${nodeId(node)}` : nodeId(node);
  return item;
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
  item.description = count ? countedOf(count.shown, count.total) : '';
  item.iconPath = new vscode.ThemeIcon('project');
  item.contextValue = 'project';
  item.tooltip = [project.name, project.account, velocityText(project.currentVelocity)]
    .filter((line) => line)
    .join('\n');
  const spoken = vscode.l10n.t('Project {0}', project.name);
  const counted = count && vscode.l10n.t('{0} of {1} stories shown', count.shown, count.total);
  item.accessibilityInformation = { label: [spoken, counted].filter((part) => part).join(', ') };
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

function noticeItem({ text, isQuiet }: NoticeNode): vscode.TreeItem {
  if (text === undefined) return loadingItem();
  const item = new vscode.TreeItem(text);
  item.iconPath = isQuiet
    ? new vscode.ThemeIcon('info')
    : new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  item.contextValue = 'notice';
  item.tooltip = text;
  item.accessibilityInformation = { label: text };
  return item;
}

function loadingItem(): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Loading…'));
  item.iconPath = new vscode.ThemeIcon('loading~spin');
  item.contextValue = 'notice';
  item.accessibilityInformation = { label: vscode.l10n.t('More stories of this project are being loaded') };
  return item;
}
