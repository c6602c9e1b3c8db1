import * as vscode from 'vscode';

/** What package.json's `when` clauses may ask for. */
type ContextKey =
  | 'storyTracker.accountsKnown'
  | 'storyTracker.signedIn'
  | 'storyTracker.noProjects'
  | 'storyTracker.isFiltered'
  | 'storyTracker.isGrouped';

/** The one place where context keys are set. */
export async function setContext(key: ContextKey, value: boolean): Promise<void> {
  await vscode.commands.executeCommand('setContext', key, value);
}
