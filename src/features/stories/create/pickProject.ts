import * as vscode from 'vscode';
import type { ProjectEntry } from '../../../host/projects/projectList.ts';
import { withoutIcons } from '../../../host/shell/plainText.ts';

/** The only project, or the one picked. `undefined` when the person turned away. */
export async function pickProject(
  entries: readonly ProjectEntry[],
  placeHolder: string,
): Promise<ProjectEntry | undefined> {
  if (entries.length === 1) return entries[0];
  const items = entries.map((entry) => ({
    label: withoutIcons(entry.project.name),
    description: withoutIcons(entry.account.label),
    entry,
  }));
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.entry;
}
