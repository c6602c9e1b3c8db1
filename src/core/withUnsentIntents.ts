import type { Backlog } from './backlog.ts';
import type { OutboxEntry } from './outbox.ts';
import { withIntent, withUnsent } from './withIntent.ts';

/** What somebody wants and no server has done yet, with its `id` once it is in the outbox. */
export type UnsentIntent = Pick<OutboxEntry, 'intent' | 'place' | 'problem'> & Partial<Pick<OutboxEntry, 'id'>>;

/** The backlog as it will look once these were sent in their order; the stories of those that have to wait are marked. */
export function withUnsentIntents(backlog: Backlog, unsent: readonly UnsentIntent[]): Backlog {
  // What comes after one that has to wait waits behind it.
  const waitsFrom = unsent.findIndex(({ problem }) => problem);
  return unsent.reduce((known, { intent, place }, index) => {
    const changed = withIntent(known, intent, place);
    return waitsFrom >= 0 && index >= waitsFrom ? withUnsent(changed, intent.storyId) : changed;
  }, backlog);
}
