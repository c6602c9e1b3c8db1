import * as vscode from 'vscode';
import type { Project } from '../../core/project.ts';
import type { IterationNode } from '../../host/nodes.ts';
import { iterationTexts } from './iterationTexts.ts';

/** The row of an iteration, of the icebox, or of all done iterations together. */
export function iterationItem(node: IterationNode, project: Project | undefined, doneCount: number): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const { label, description, spoken, tooltip } = iterationTexts(node, project, doneCount);
  const item = new vscode.TreeItem(label, node.group === 'current' || isOpenedByFilter(node) ? Expanded : Collapsed);
  item.description = description;
  item.tooltip = tooltip;
  item.contextValue = `iteration.${node.group}`;
  item.accessibilityInformation = { label: spoken };
  return item;
}

/** So many stories are shown at once; a row with more is opened by hand. */
const OPENED_AT_MOST = 200;

/** With a filter, whatever holds what was looked for opens by itself. */
export function isOpenedByFilter({ stories, total }: Pick<IterationNode, 'stories' | 'total'>): boolean {
  return total !== undefined && stories.length <= OPENED_AT_MOST;
}
