import type { OutboxEntry } from '../../core/outbox/outbox.ts';
import type { Story } from '../../core/story/story.ts';

/** The commit hashes that comments of these stories speak of (api-v3.md: a linked commit is shown as a comment). */
export function linkedHashes(stories: readonly Pick<Story, 'notes'>[]): ReadonlySet<string> {
  const notes = stories.flatMap((story) => story.notes);
  return new Set(notes.flatMap(({ text }) => text.match(/\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/g) ?? []));
}

/** Commits that are in the outbox and on their way. */
export function waitingHashes(unsent: readonly Pick<OutboxEntry, 'intent' | 'state'>[]): ReadonlySet<string> {
  const links = unsent.flatMap(({ intent, state }) => (intent.kind === 'link' && state !== 'failed' ? [intent] : []));
  return new Set(links.map(({ commit }) => commit.commitId));
}
