import * as vscode from 'vscode';
import { iconOfType } from '../../../host/story/storyLabel.ts';
import type { GroupNode } from '../../../host/tree/nodes.ts';
import { groupTexts } from './groupTexts.ts';
import { isOpenedByFilter } from './iterationItem.ts';
import { colourOfState } from './storyItem.ts';

/** The row of stories that have something in common. */
export function groupItem(node: GroupNode): vscode.TreeItem {
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
