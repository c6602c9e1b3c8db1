import { TrackerError } from '../core/errors.ts';

/** What Git said or did not say, as a sentence for a person; `cancelled` when it was we who stopped it. */
export function asGitError(thrown: unknown, root: string, signal?: AbortSignal): Error {
  if (signal?.aborted) return new TrackerError('cancelled', 'Cancelled.', { cause: thrown });
  return new Error(sentence(thrown instanceof Error ? thrown.message : String(thrown), root), { cause: thrown });
}

function sentence(said: string, root: string): string {
  if (said.includes('spawn ') && said.includes(' ENOENT'))
    return 'Git was not found on this machine. Install it, or put it on the PATH.';
  if (/not a git repository|directory that does not exist/.test(said)) return `There is no Git repository in ${root}.`;
  if (said.includes('dubious ownership')) return `Git does not trust ${root}, since it belongs to another user.`;
  if (said.includes('block timeout')) return `Git did not answer in ${root}.`;
  const last = said.trim().split('\n').at(-1) ?? '';
  return `Git failed in ${root}: ${last.replace(/^fatal: /, '')}`;
}
