import type { OpenWorktree } from './openWorktree.ts';
import type { PlacedWorktree } from './placedWorktree.ts';

/** A worktree to work in, and how to show it; without `open`, it is only made. */
export interface WantedWorktree extends PlacedWorktree {
  readonly open?: OpenWorktree;
}

/** Where a story is to be worked on. */
export interface WorkBranch {
  /** `CURRENT_BRANCH` for the one that is checked out. */
  readonly branch: string;
  /** The folder that the branch is to be checked out in, when it is not the one that is open. */
  readonly worktree?: WantedWorktree;
}
