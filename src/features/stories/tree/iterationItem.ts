import * as vscode from 'vscode';
import type { Project } from '../../../core/story/project.ts';
import type { GroupKind, IterationNode } from '../../../host/tree/nodes.ts';
import { iterationTexts } from './iterationTexts.ts';

const iconOfGroup: Readonly<Record<GroupKind, string>> = {
  current: 'play-circle',
  backlog: 'calendar',
  done: 'check-all',
  icebox: 'archive',
};

/** The row of an iteration, of the icebox, or of all done iterations together. */
export function iterationItem(node: IterationNode, project: Project | undefined, doneCount: number): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const { label, description, spoken, tooltip } = iterationTexts(node, project, doneCount);
  const item = new vscode.TreeItem(label, node.group === 'current' || isOpenedByFilter(node) ? Expanded : Collapsed);
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
export function isOpenedByFilter({ stories, total }: Pick<IterationNode, 'stories' | 'total'>): boolean {
  return total !== undefined && stories.length <= OPENED_AT_MOST;
}
