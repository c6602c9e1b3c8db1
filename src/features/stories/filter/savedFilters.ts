import * as vscode from 'vscode';

/** A filter with a name, as the setting `storyTracker.savedFilters` has it. */
export interface SavedFilter {
  readonly name: string;
  readonly filter: string;
}

const section = () => vscode.workspace.getConfiguration('storyTracker');

/**
 * The saved filters, each name once. They are a setting, so that they go with a person from machine to machine, can be
 * looked through and edited as text, and a team can keep its own with its workspace.
 */
export function savedFilters(): readonly SavedFilter[] {
  const names = new Set<string>();
  return entries().flatMap((entry) => {
    const saved = savedFilter(entry);
    if (!saved || names.has(saved.name)) return [];
    names.add(saved.name);
    return [saved];
  });
}

/** Calls `listener` whenever the saved filters may be others. */
export function onDidChangeSavedFilters(listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration('storyTracker.savedFilters')) listener();
  });
}

/** Puts the filter in the place of the one called `before`, else last. */
export async function putSavedFilter(saved: SavedFilter, before = saved.name): Promise<void> {
  const all = entries();
  const isIt = (entry: unknown) => savedFilter(entry)?.name === before;
  await write(all.some(isIt) ? all.map((entry) => (isIt(entry) ? saved : entry)) : [...all, saved]);
}

export async function removeSavedFilter(name: string): Promise<void> {
  await write(entries().filter((entry) => savedFilter(entry)?.name !== name));
}

/** Includes entries that are not filters, which are kept as written. */
function entries(): readonly unknown[] {
  const value = section().get<unknown>('savedFilters');
  return Array.isArray(value) ? value : [];
}

/** Where they come from now: a workspace that has some hides those of the user. */
async function write(value: readonly unknown[]): Promise<void> {
  const { Global, Workspace } = vscode.ConfigurationTarget;
  const isOfWorkspace = section().inspect('savedFilters')?.workspaceValue !== undefined;
  await section().update('savedFilters', value, isOfWorkspace ? Workspace : Global);
}

function savedFilter(entry: unknown): SavedFilter | undefined {
  if (typeof entry !== 'object' || entry === null || !('name' in entry) || !('filter' in entry)) return undefined;
  const { name, filter } = entry;
  if (typeof name !== 'string' || typeof filter !== 'string' || name.trim() === '') return undefined;
  return { name: name.trim(), filter: filter.trim() };
}
