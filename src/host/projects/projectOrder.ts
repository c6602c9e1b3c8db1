import { folded } from '../../core/text.ts';
import type { ProjectEntry } from './projectList.ts';

/** Which projects a person wants to see. Each list names projects by ID, by name, or by ID and server as `12@tracker.example.com`. */
export interface ProjectWishes {
  readonly hidden: readonly string[];
  /** Those of `hidden` that are so in the open workspace only, though it may be about them. */
  readonly hiddenHere: readonly string[];
  readonly pinned: readonly string[];
  /** Those that the open workspace is about; none for all that are not hidden. */
  readonly workspace: readonly string[];
}

export interface OrderedProjects {
  /** Pinned ones first. */
  readonly shown: readonly ProjectEntry[];
  /** Hidden; those that are of other workspaces anyway are none of them. */
  readonly hidden: readonly ProjectEntry[];
  /** Hidden, or not of this workspace. */
  readonly others: readonly ProjectEntry[];
}

/** A workspace that names no project of these servers is about all of them; what it names is shown, though it is hidden elsewhere. */
export function orderedProjects(entries: readonly ProjectEntry[], wishes: ProjectWishes): OrderedProjects {
  const ofWorkspace = entries.filter((entry) => isNamed(entry, wishes.workspace));
  const isBound = ofWorkspace.length > 0;
  const [meant, hiddenNames] = isBound ? [ofWorkspace, wishes.hiddenHere] : [entries, wishes.hidden];
  const hidden = meant.filter((entry) => isNamed(entry, hiddenNames));
  const shown = meant.filter((entry) => !hidden.includes(entry));
  const pinned = shown.filter((entry) => isNamed(entry, wishes.pinned));
  return {
    shown: [...pinned, ...shown.filter((entry) => !pinned.includes(entry))],
    hidden,
    others: entries.filter((entry) => !shown.includes(entry)),
  };
}

/** Those of which a person wants to hear nothing: hidden, whether or not they are of this workspace, and not shown. */
export function silencedProjects(entries: readonly ProjectEntry[], wishes: ProjectWishes): readonly ProjectEntry[] {
  return orderedProjects(entries, wishes).others.filter((entry) => isNamed(entry, wishes.hidden));
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
