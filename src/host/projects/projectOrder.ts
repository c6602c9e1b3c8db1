import { folded } from '../../core/text.ts';
import type { ProjectEntry } from './projectList.ts';

/** Which projects a person wants to see. Each list names projects by ID, by name, or by ID and server as `12@tracker.example.com`. */
export interface ProjectWishes {
  readonly hidden: readonly string[];
  readonly pinned: readonly string[];
  /** Those that the open workspace is about; none for all that are not hidden. */
  readonly workspace: readonly string[];
}

export interface OrderedProjects {
  /** Pinned ones first. */
  readonly shown: readonly ProjectEntry[];
  /** Hidden, or not of this workspace. */
  readonly others: readonly ProjectEntry[];
}

/** A workspace that names no project of these servers is about all of them. */
export function orderedProjects(entries: readonly ProjectEntry[], wishes: ProjectWishes): OrderedProjects {
  const ofWorkspace = entries.filter((entry) => isNamed(entry, wishes.workspace));
  const shown = ofWorkspace.length > 0 ? ofWorkspace : entries.filter((entry) => !isNamed(entry, wishes.hidden));
  const pinned = shown.filter((entry) => isNamed(entry, wishes.pinned));
  return {
    shown: [...pinned, ...shown.filter((entry) => !pinned.includes(entry))],
    others: entries.filter((entry) => !shown.includes(entry)),
  };
}

export function isNamed(entry: ProjectEntry, names: readonly string[]): boolean {
  const { id, name } = entry.project;
  return names.some((text) => {
    const wanted = folded(text.trim());
    return wanted === folded(name) || wanted === String(id) || wanted === folded(projectReference(entry));
  });
}

/** The lists' name for a project that stays when it is renamed and is clear with several servers. */
export function projectReference({ account: { baseUrl }, project: { id } }: ProjectEntry): string {
  if (baseUrl === undefined) return `${id}@builtIn`;
  const { host, pathname } = new URL(baseUrl);
  return `${id}@${host}${pathname.replace(/\/$/, '')}`;
}
