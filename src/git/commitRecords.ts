import type { Commit } from '../core/history.ts';
import { isHash } from './revision.ts';

/** What is asked of `git rev-list`: fields that end with NUL, which no message can hold. */
export const RECORD_FORMAT = '--format=tformat:%H%x00%an%x00%ae%x00%at%x00%B%x00';

const FIELDS = 5;

/**
 * The commits in Git's answer to `RECORD_FORMAT`. Before each record Git writes a line `commit <hash>`.
 * @throws Error when the answer is cut short or no such answer.
 */
export function readCommitRecords(output: string): readonly Commit[] {
  const fields = output.split('\0');
  if ((fields.length - 1) % FIELDS !== 0 || fields.at(-1)?.trim() !== '') throw unreadable();
  const commits: Commit[] = [];
  for (let at = 0; at + FIELDS < fields.length; at += FIELDS) {
    const [head = '', authorName = '', authorEmail = '', seconds = '', message = ''] = fields.slice(at, at + FIELDS);
    const hash = head.slice(head.lastIndexOf('\n') + 1);
    if (!isHash(hash)) throw unreadable();
    commits.push({ hash, message: message.trimEnd(), authorName, authorEmail, authoredAt: Number(seconds) * 1000 });
  }
  return commits;
}

function unreadable(): Error {
  return new Error('Git gave an answer that could not be read.');
}
