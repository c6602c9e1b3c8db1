import type { MadeFile } from './outgoingFiles.ts';
import type { CallOptions } from './tracker.ts';

/** `all` that differs from the last commit, what is `staged` of it, or what is `unstaged`. */
export type PatchOf = 'all' | 'staged' | 'unstaged';

/** A repository's changes as a file. Ask only in a trusted workspace; nothing of the repository is run. */
export interface Patches {
  /**
   * The changes of files that Git knows, in the form that `git apply` takes, byte for byte; an empty file when there are none.
   * Filters that a repository configures (as LFS does) are programs, so that their files are taken as they are on disk.
   * @throws Error with a sentence.
   */
  patch(root: string, of: PatchOf, options?: CallOptions): Promise<MadeFile>;
  /** Removes a file that was made here; nothing else. */
  discard(path: string): Promise<void>;
}
