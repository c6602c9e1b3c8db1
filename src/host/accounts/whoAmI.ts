import { TrackerError } from '../../core/errors.ts';
import type { Tracker } from '../../core/ports/tracker.ts';

/** So many projects are asked before the answer is that nobody knows. */
const PROJECTS_ASKED = 5;

/**
 * The name under which a server knows whoever asks, found out by stories that are theirs: no endpoint tells it.
 * `undefined` for who has none yet.
 */
export async function whoAmI(tracker: Tracker, projectIds: readonly number[]): Promise<string | undefined> {
  for (const projectId of projectIds.slice(0, PROJECTS_ASKED)) {
    const [owned] = await mine(tracker, projectId, 'owner:me');
    if (owned?.ownedBy !== undefined) return owned.ownedBy;
    const [requested] = await mine(tracker, projectId, 'requester:me');
    if (requested?.requestedBy !== undefined) return requested.requestedBy;
  }
  return undefined;
}

/** None where a server does not take the filter. */
async function mine(tracker: Tracker, projectId: number, filter: string) {
  try {
    return await tracker.listStories(projectId, { filter: `${filter} includedone:true`, limit: 1 });
  } catch (thrown) {
    if (thrown instanceof TrackerError && (thrown.kind === 'refused' || thrown.kind === 'notFound')) return [];
    throw thrown;
  }
}
