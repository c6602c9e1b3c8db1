import type { MarkerVerb } from '../marker/markerSyntax.ts';

/** Where a repository's `prepare-commit-msg` hook is, and whose. */
export interface HookPlace {
  readonly file: string;
  /** It is among the repository's own files in `.git`; elsewhere other repositories or people may share it. */
  readonly isOwn: boolean;
  readonly owner: 'nobody' | 'us' | 'others';
}

/** The hook that names a branch's story in messages of commits made without VS Code. Ask only in a trusted workspace. */
export interface CommitHooks {
  place(root: string): Promise<HookPlace>;
  /** Puts ours there; that of others is kept beside it and runs first. @throws Error with a sentence. */
  install(root: string, verb: MarkerVerb): Promise<void>;
  /** Removes our hook and restores the one that was there before. `false` when ours is not installed. */
  remove(root: string): Promise<boolean>;
}
