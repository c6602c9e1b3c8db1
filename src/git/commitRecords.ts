import { MAX_TEXT } from '../core/limits.ts';
import type { Commit } from '../core/ports/history.ts';
import { isHash } from './revision.ts';

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
  return new Error('Git gave an answer that could not be read.');
}
