import { projectIdsOfCaller } from '../auth/projectAccess.ts';
import type { Call } from '../call/exchange.ts';
import { notFound } from '../ground/errors.ts';
import { renumberedFrom } from '../store/imports.ts';
import { type LocatedStory, placesOfStories, presentIds } from '../store/stories/storyRows.ts';

/** The story that a tool is asked about, as its input names it. */
interface NamedStory {
  readonly storyId: number;
  readonly projectId?: number;
}

/** Larger numbers are no story's, and databases do not take them. */
const LARGEST_ID = 2_147_483_647;

/**
 * Where a story of the caller's projects is. A number that none has means the one that had it before it was imported, as in markers. Throws
 * `Refusal` 404 alike for what is not there and what is not the caller's to see.
 */
export async function placeOfStory(call: Call, { storyId, projectId }: NamedStory): Promise<LocatedStory> {
  const found = storyId > LARGEST_ID ? undefined : await storyOfCaller(call, storyId);
  if (!found) throw notFound(`There is no story #${storyId} in your projects.`);
  if (projectId !== undefined && projectId !== found.projectId)
    throw notFound(`Story #${found.id} is in project ${found.projectId}, not in project ${projectId}.`);
  return found;
}

function storyOfCaller(call: Call, storyId: number): Promise<LocatedStory | undefined> {
  return call.service.database.read(async (tx) => {
    const mine = projectIdsOfCaller(tx, call);
    const [present] = await presentIds(tx, mine, [storyId]);
    const former = present === undefined ? await renumberedFrom(tx, mine, [String(storyId)]) : [];
    const id = former.length === 1 ? former[0]?.storyId : present;
    const [place] = id === undefined ? [] : await placesOfStories(tx, [id]);
    return place;
  });
}
