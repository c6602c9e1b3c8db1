import type { Activity } from '../../core/story/activity.ts';
import { visibleLine } from '../../core/text.ts';
import { plainLine } from '../../host/shell/plainText.ts';
import type { ActivityTexts } from './activityTexts.ts';

/**
 * What one did, in a word for a list: "started", "commented". States are told in the server's words. Not shown: the list of
 * event types (api-v3.md); one that nobody knows is told in the server's sentence, without one's name at its beginning.
 */
export function deed({ eventType, author, description, stories }: Activity, texts: ActivityTexts): string {
  const changed = stories.map((story) => story.changed);
  const kind = /^(note|comment|attachment|task)_/.exec(eventType)?.[1];
  if (kind === 'note' || kind === 'comment') return texts.commented;
  if (kind === 'attachment') return texts.attached;
  if (kind === 'task') return texts.tasks;
  if (eventType === 'story_create') return texts.added;
  if (eventType === 'story_delete') return texts.deleted;
  const state = changed.find((one) => one.state !== undefined)?.state;
  if (state !== undefined && !WAITING.has(state)) return plainLine(state);
  if (changed.some(({ estimate }) => estimate !== undefined)) return texts.estimated;
  if (stories.some(({ cleared, changed: { ownedBy } }) => ownedBy !== undefined || cleared.includes('ownedBy')))
    return texts.owner;
  if (eventType === 'story_update') return texts.edited;
  const sentence = plainLine(description);
  const rest = author !== undefined && sentence.startsWith(`${author} `) ? sentence.slice(author.length + 1) : sentence;
  return visibleLine(rest, SENTENCE_LENGTH) || texts.edited;
}

/** States that say where a story is, not what was done. */
const WAITING: ReadonlySet<string> = new Set(['unscheduled', 'unstarted']);

const SENTENCE_LENGTH = 120;
