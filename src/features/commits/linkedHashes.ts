import { type Backlog, storiesOf } from '../../core/backlog/backlog.ts';

/** The commit hashes that comments of these stories speak of (api-v3.md: a linked commit is shown as a comment). */
export function linkedHashes(backlogs: readonly Backlog[]): ReadonlySet<string> {
  const notes = backlogs.flatMap(storiesOf).flatMap((story) => story.notes);
  return new Set(notes.flatMap(({ text }) => text.match(/\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/g) ?? []));
}
