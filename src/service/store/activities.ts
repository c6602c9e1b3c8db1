import type { Selectable } from 'kysely';
import type { Activity, ChangedStory } from '../../core/activity.ts';
import { zonedDate } from '../../v3/dates.ts';
import { endpointPath } from '../../v3/endpoints.ts';
import { nextActivityVersion } from './counters.ts';
import type { Tx } from './database.ts';
import { touchProject } from './projects.ts';
import type { Schema } from './schema.ts';

export type ActivityRow = Selectable<Schema['activities']>;
export type RecordedStory = Omit<ChangedStory, 'url'>;

export interface NewActivity {
  readonly projectId: number;
  readonly eventType: string;
  readonly occurredAt: number;
  readonly author: string;
  readonly authorId: number | null;
  readonly description: string;
  readonly stories: readonly RecordedStory[];
}

/** Adds an activity in the transaction of the change that it tells of, and gives its id. */
export async function insertActivity(tx: Tx, activity: NewActivity): Promise<number> {
  const version = await nextActivityVersion(tx);
  const { id } = await tx
    .insertInto('activities')
    .values({ ...activity, version, stories: JSON.stringify(activity.stories) })
    .returning('id')
    .executeTakeFirstOrThrow();
  await touchProject(tx, activity.projectId, activity.occurredAt);
  return id;
}

export async function activityById(tx: Tx, id: number): Promise<ActivityRow | undefined> {
  return tx.selectFrom('activities').selectAll().where('id', '=', id).executeTakeFirst();
}

export interface ActivitySelection {
  readonly limit: number;
  readonly newerThanVersion?: number;
  /** Inclusive, in milliseconds since the epoch. */
  readonly occurredSince?: number;
}

/** Newest first. */
export async function activitiesOf(
  tx: Tx,
  projectIds: readonly number[],
  selection: ActivitySelection,
): Promise<ActivityRow[]> {
  if (projectIds.length === 0) return [];
  const { limit, newerThanVersion, occurredSince } = selection;
  let query = tx
    .selectFrom('activities')
    .selectAll()
    .where('projectId', 'in', [...projectIds]);
  if (newerThanVersion !== undefined) query = query.where('version', '>', newerThanVersion);
  if (occurredSince !== undefined) query = query.where('occurredAt', '>=', occurredSince);
  return query.orderBy('version', 'desc').limit(limit).execute();
}

/** `base` is how the caller addresses this service; a story in an activity carries its API address. */
export function toActivity(row: ActivityRow, base: string): Activity {
  const stories: readonly RecordedStory[] = JSON.parse(row.stories);
  const { projectId } = row;
  return {
    id: row.id,
    version: row.version,
    eventType: row.eventType,
    occurredAt: zonedDate(row.occurredAt),
    author: row.author,
    projectId,
    description: row.description,
    stories: stories.map((story) => ({
      ...story,
      url: base + endpointPath('getStory', { projectId, storyId: story.id }),
    })),
  };
}
