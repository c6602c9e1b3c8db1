import type { PatchOf } from '../../../core/ports/outgoingFiles.ts';

/** "story-tracker-feature-12-login-staged.patch"; without what file systems do not take. */
export function patchName(repository: string, branch: string | undefined, of: PatchOf): string {
  const parts = [repository, ...(branch ? [branch] : []), ...(of === 'all' ? [] : [of])];
  return `${parts.join('-').replace(/[\\/:*?"<>|\s\p{Cc}]+/gu, '-')}.patch`;
}
