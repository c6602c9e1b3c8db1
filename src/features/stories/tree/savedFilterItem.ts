import * as vscode from 'vscode';
import type { SavedFilterNode } from '../../../host/tree/nodes.ts';
import { countedStories } from './counted.ts';

/** The row of a saved filter; what fits it is below. */
export function savedFilterItem({ name, text, found, isPartial }: SavedFilterNode): vscode.TreeItem {
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
