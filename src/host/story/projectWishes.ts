import * as vscode from 'vscode';
import type { ProjectEntry } from '../projects/projectList.ts';
import { isNamed, type ProjectWishes, projectReference } from '../projects/projectOrder.ts';

const SETTINGS = { hidden: 'hiddenProjects', pinned: 'pinnedProjects', workspace: 'workspaceProjects' } as const;

const section = () => vscode.workspace.getConfiguration('storyTracker');

/** As the settings `storyTracker.hiddenProjects`, `….pinnedProjects` and `….workspaceProjects` have it. */
export function projectWishes(): ProjectWishes {
  return {
    hidden: names(section().get<unknown>('hiddenProjects')),
    pinned: names(section().get<unknown>('pinnedProjects')),
    workspace: names(section().get<unknown>('workspaceProjects')),
  };
}

/** Calls `listener` whenever the wishes may be others. */
export function onDidChangeProjectWishes(listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (Object.values(SETTINGS).some((name) => change.affectsConfiguration(`storyTracker.${name}`))) listener();
  });
}

/** Adds a project to a list, or takes every name for it off, and leaves what else is written there. */
export async function wishProject(
  list: keyof ProjectWishes,
  entry: ProjectEntry,
  { isWanted }: { readonly isWanted: boolean },
): Promise<void> {
  const others = projectWishes()[list].filter((name) => !isNamed(entry, [name]));
  await writeWishes(list, isWanted ? [...others, projectReference(entry)] : others);
}

/** @throws Error in VS Code's words where nothing is open that could keep a workspace's list. */
export async function writeWishes(list: keyof ProjectWishes, wanted: readonly string[]): Promise<void> {
  const { Global, Workspace } = vscode.ConfigurationTarget;
  const found = section().inspect(SETTINGS[list]);
  const isOfWorkspace = list === 'workspace' || found?.workspaceValue !== undefined;
  await section().update(SETTINGS[list], wanted.length > 0 ? wanted : undefined, isOfWorkspace ? Workspace : Global);
}

function names(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
