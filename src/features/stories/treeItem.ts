import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { IterationNode, MoreNode, NoticeNode, ProjectNode, StoryNode, type TreeNode } from '../../host/nodes.ts';
import { detailItem } from './detailItem.ts';
import { iterationItem } from './iterationItem.ts';
import { nodeId } from './nodeId.ts';
import { storyItem } from './storyItem.ts';
import type { StoryTree } from './storyTree.ts';

/** How a row is painted. */
export function treeItem(node: TreeNode, tree: StoryTree): vscode.TreeItem {
  const item = itemOf(node, tree);
  item.id = nodeId(node);
  return item;
}

function itemOf(node: TreeNode, tree: StoryTree): vscode.TreeItem {
  if (node instanceof ProjectNode) return projectItem(node, tree.isOpenAtFirst(node));
  if (node instanceof IterationNode) return iterationItem(node, tree.projectOf(node.key), tree.doneCount(node.key));
  if (node instanceof StoryNode) return storyItem(node, tree.projectOf(node.key));
  if (node instanceof MoreNode) return moreItem(node);
  if (node instanceof NoticeNode) return noticeItem(node);
  return detailItem(node);
}

function projectItem({ project }: ProjectNode, isOpen: boolean): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(project.name, isOpen ? Expanded : Collapsed);
  item.iconPath = new vscode.ThemeIcon('project');
  item.contextValue = 'project';
  item.tooltip = [project.name, project.account, velocityText(project.currentVelocity)]
    .filter((line) => line)
    .join('\n');
  item.accessibilityInformation = { label: vscode.l10n.t('Project {0}', project.name) };
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

function noticeItem({ text }: NoticeNode): vscode.TreeItem {
  const item = new vscode.TreeItem(text);
  item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  item.contextValue = 'notice';
  item.tooltip = text;
  item.accessibilityInformation = { label: text };
  return item;
}
