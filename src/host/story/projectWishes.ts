import * as vscode from 'vscode';
import type { ProjectEntry } from '../projects/projectList.ts';
import { isNamed, type ProjectWishes, projectReference } from '../projects/projectOrder.ts';

const SETTINGS = { hidden: 'hiddenProjects', pinned: 'pinnedProjects', workspace: 'workspaceProjects' } as const;

type WishList = keyof typeof SETTINGS;

const section = () => vscode.workspace.getConfiguration('storyTracker');

/** As the settings `storyTracker.hiddenProjects`, `….pinnedProjects` and `….workspaceProjects` have it. */
export function projectWishes(): ProjectWishes {
  return {
    hidden: names(section().get<unknown>('hiddenProjects')),
    hiddenHere: names(section().inspect<unknown>('hiddenProjects')?.workspaceValue),
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

interface Wish {
  readonly isWanted: boolean;
  /** In the open workspace only. */
  readonly isHere?: boolean;
}

/** Adds a project to a list, or takes every name for it off, and leaves what else is written there. */
export async function wishProject(list: WishList, entry: ProjectEntry, { isWanted, isHere }: Wish): Promise<void> {
  const wishes = projectWishes();
  // The first list of a workspace takes the place of that of all, of which those that it shows all the same stay shown.
  const isFirst = isHere && wishes.hiddenHere.length === 0;
  const before = isFirst ? wishes[list].filter((name) => !wishes.workspace.includes(name)) : wishes[list];
  const others = before.filter((name) => !isNamed(entry, [name]));
  await writeWishes(list, isWanted ? [...others, projectReference(entry)] : others, isHere);
}

/** @throws Error in VS Code's words where nothing is open that could keep a workspace's list. */
export async function writeWishes(list: WishList, wanted: readonly string[], isHere = false): Promise<void> {
  const { Global, Workspace } = vscode.ConfigurationTarget;
  const found = section().inspect(SETTINGS[list]);
  const isOfWorkspace = isHere || list === 'workspace' || found?.workspaceValue !== undefined;
  await section().update(SETTINGS[list], wanted.length > 0 ? wanted : undefined, isOfWorkspace ? Workspace : Global);
}

function names(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
