import type { Backlogs } from '../../../host/projects/backlogs.ts';
import type { FoundStory } from '../../../host/tree/nodes.ts';
import type { Ready } from '../prepare/candidate.ts';
import { fateIsUnknown, type UploadOutcome } from './uploads.ts';

/**
 * The failed files that the story does not hold. An upload whose answer got lost may have arrived all the same, and must
 * not be attached twice: such a file counts as there when the story has an attachment of its name that it had not before.
 */
export async function notYetThere(
  backlogs: Backlogs,
  { key, story }: FoundStory,
  outcomes: readonly UploadOutcome[],
): Promise<readonly Ready[]> {
  const failed = outcomes.flatMap((outcome) => (outcome.status === 'failed' ? [outcome] : []));
  if (!failed.some(({ error }) => fateIsUnknown(error))) return failed.map(({ item }) => item);
  const now = await backlogs.refreshStory(key, story.id);
  const explained = new Set(story.attachments.map(({ id }) => id));
  for (const outcome of outcomes) if (outcome.status === 'done') explained.add(outcome.value.id);
  const unexplained = now.attachments.filter(({ id }) => !explained.has(id)).map(({ filename }) => filename);
  return failed.flatMap(({ item, error }) => {
    const index = fateIsUnknown(error) ? unexplained.indexOf(item.filename) : -1;
    if (index < 0) return [item];
    unexplained.splice(index, 1);
    return [];
  });
}
