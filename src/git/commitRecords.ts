import { MAX_TEXT } from '../core/limits.ts';
import type { Commit } from '../core/ports/git.ts';
import { t } from '../core/translation.ts';

/** What is asked of `git rev-list`: fields that end with NUL, which no message can hold. */
export const RECORD_FORMAT = '--format=tformat:%H%x00%an%x00%ae%x00%at%x00%ct%x00%B%x00';

const FIELDS = 6;

/** A commit with when it came to be as it is, which amending and rebasing change, in milliseconds since the epoch. */
export interface DatedCommit {
  readonly commit: Commit;
  readonly committedAt: number;
}

/**
 * The commits in Git's answer to `RECORD_FORMAT`. Before each record Git writes a line `commit <hash>`.
 * @throws Error when the answer is cut short or no such answer.
 */
export function readCommitRecords(output: string): readonly Commit[] {
  return readDatedRecords(output).map(({ commit }) => commit);
}

/** As `readCommitRecords`, with the dates of the committer. */
export function readDatedRecords(output: string): readonly DatedCommit[] {
  const fields = output.split('\0');
  if ((fields.length - 1) % FIELDS !== 0 || fields.at(-1)?.trim() !== '') throw unreadable();
  const commits: DatedCommit[] = [];
  for (let at = 0; at + FIELDS < fields.length; at += FIELDS) {
    const [head = '', authorName = '', authorEmail = '', authored = '', committed = '', message = ''] = fields.slice(
      at,
      at + FIELDS,
    );
    const hash = head.slice(head.lastIndexOf('\n') + 1);
    if (!isHash(hash)) throw unreadable();
    const commit = {
      hash,
      message: shownMessage(message),
      authorName,
      authorEmail,
      authoredAt: Number(authored) * 1000,
    };
    commits.push({ commit, committedAt: Number(committed) * 1000 });
  }
  return commits;
}

/** As much of a message as a comment takes; whoever wrote more wrote it for no reader. */
function shownMessage(message: string): string {
  return message.slice(0, MAX_TEXT).trimEnd();
}

function unreadable(): Error {
  return new Error(t('Could not read the answer from Git.'));
}

/** A hash, short or whole, SHA-1 or SHA-256. */
const HASH = /^[0-9a-f]{4,64}$/i;

/** A branch, tag or hash with steps back, as in `main~2` or `v1.0^`. No range, no path, no search. */
const REVISION = /^[\p{L}\p{N}@_][\p{L}\p{N}@_./-]*(?:[~^]\d*)*$/u;

export function isHash(text: string): boolean {
  return HASH.test(text);
}

/** Tells whether `text` can only mean one commit: never an option, a range or an exclusion. */
export function isRevision(text: string): boolean {
  return text.length <= 250 && !text.includes('..') && REVISION.test(text);
}

/** Few enough for a command line: Windows takes 32,767 characters, others a million bytes and more. */
const MOST_REVISIONS = process.platform === 'win32' ? 600 : 5000;

/** Hashes, parted into as many as one run of Git takes: each run walks through the same history again. */
export function portions(revisions: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(revisions.length / MOST_REVISIONS);
  return Array.from({ length: count }, (_, at) => revisions.slice(at * MOST_REVISIONS, (at + 1) * MOST_REVISIONS));
}
