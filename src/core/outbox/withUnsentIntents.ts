import { type Backlog, findStory, withStory } from '../backlog/backlog.ts';
import type { Intent } from '../intents/intent.ts';
import type { OutboxEntry } from './outbox.ts';
import { unsentCommitNote } from './shownCommit.ts';
import { withIntent, withUnsent } from '../intents/withIntent.ts';

/** What somebody wants and no server has done yet, with its `id` once it is in the outbox. */
export type UnsentIntent = Pick<OutboxEntry, 'intent' | 'place' | 'problem'> &
  Partial<Pick<OutboxEntry, 'id' | 'state'>>;

/** The backlog as it will look once these were sent in their order; the stories of those that have to wait are marked. */
export function withUnsentIntents(backlog: Backlog, unsent: readonly UnsentIntent[]): Backlog {
  // What comes after one that has to wait waits behind it.
  const waitsFrom = unsent.findIndex(({ problem, state }) => problem && state !== 'failed');
  return unsent.reduce((known, one, index) => {
    const { intent, place, state } = one;
    const changed = intent.kind === 'link' ? withCommit(known, intent, one) : withIntent(known, intent, place);
    const waits = waitsFrom >= 0 && index >= waitsFrom && state !== 'failed';
    return waits ? withUnsent(changed, intent.storyId) : changed;
  }, backlog);
}

/** The commit on each of its stories that the server does not show it on. */
function withCommit(backlog: Backlog, link: Extract<Intent, { kind: 'link' }>, unsent: UnsentIntent): Backlog {
  const note = unsentCommitNote(link, unsent);
  return link.stories.reduce((known, { projectId, storyId }) => {
    const story = projectId === backlog.project.id ? findStory(known, storyId) : undefined;
    if (!story || story.notes.some(({ id, text }) => id === note.id || text.includes(link.commit.commitId)))
      return known;
    return withStory(known, { ...story, notes: [...story.notes, note] });
  }, backlog);
}
