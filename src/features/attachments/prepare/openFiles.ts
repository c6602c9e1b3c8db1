import * as vscode from 'vscode';

/** The files of the open editors, in the order of their tabs, each once. */
export function openFiles(): readonly vscode.Uri[] {
  const uris = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.flatMap(fileOf));
  return [...new Map(uris.map((uri) => [uri.toString(), uri])).values()];
}

export function activeFile(): vscode.Uri | undefined {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  return tab && fileOf(tab)[0];
}

function fileOf({ input }: vscode.Tab): vscode.Uri[] {
  if (input instanceof vscode.TabInputText) return [input.uri];
  if (input instanceof vscode.TabInputCustom) return [input.uri];
  if (input instanceof vscode.TabInputNotebook) return [input.uri];
  if (input instanceof vscode.TabInputTextDiff) return [input.modified];
  return [];
}
