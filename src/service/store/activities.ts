import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { Activity, ChangedStory } from '../../core/story/activity.ts';
import { zonedDate } from '../../v3/dates.ts';
import { endpointPath } from '../../v3/endpoints.ts';
import { endOf, nextActivityVersion, nextVersion, noteTaken, type VersionRules, versionRules } from './counters.ts';
import type { Tx } from './database.ts';
import { type ProjectIds, touchedProject, touchProject } from './projects/projects.ts';
import { idList, knownQuery, knownStatement } from './queries.ts';
import type { Schema } from './schema.ts';
import type { TransactionEnd } from './transactionEnd.ts';

type ActivityRow = Selectable<Schema['activities']>;
/** An activity whose changes to stories are null where they are long: those are read when their turn comes. */
export type ActivityHead = Omit<ActivityRow, 'stories'> & { readonly stories: string | null };
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

/** The id of the activity that was added last by the statements that are sent with a commit. */
export const LAST_ACTIVITY = sql<number>`currval(pg_get_serial_sequence('activities', 'id'))`;

/**
 * Adds an activity in the transaction of the change that it tells of, and gives its id. Where several transactions write at a time they
 * wait for each other for a version, so it is added last of all, and given is the end of the transaction, at which it gets its id.
 */
export async function insertActivity(tx: Tx, activity: NewActivity): Promise<number | TransactionEnd> {
  const { projectId, occurredAt } = activity;
  const row = { ...activity, stories: JSON.stringify(activity.stories) };
  const end = endOf(tx);
  if (end) {
    end.addBeforeVersions(touchedProject(tx, { id: projectId, now: occurredAt }));
    end.add(insertedWithVersion(tx, { ...row, ...versionRules(tx) }), ([added]) => {
      if (added) noteTaken(tx, added.version);
    });
    return end;
  }
  const version = await nextActivityVersion(tx);
  const [added] = await inserted(tx, { ...row, version });
  if (added === undefined) throw new Error('The activity was not added.');
  await touchProject(tx, projectId, occurredAt);
  return added.id;
}

const inserted = knownQuery(
  (
    tx,
    { projectId, eventType, occurredAt, author, authorId, description, stories, version }: Omit<ActivityRow, 'id'>,
  ) =>
    tx
      .insertInto('activities')
      .values({ projectId, eventType, occurredAt, author, authorId, description, stories, version })
      .returning('id'),
);

/** Under the lock of the counter, so that ids rise with versions: selected from what was counted, a row is made after that. */
const insertedWithVersion = knownStatement((tx, row: Omit<ActivityRow, 'id' | 'version'> & VersionRules) =>
  tx
    .with('next', (db) => nextVersion(db, { first: row.first, given: row.given, leap: row.leap }))
    .insertInto('activities')
    .columns(['version', 'projectId', 'eventType', 'occurredAt', 'author', 'authorId', 'description', 'stories'])
    .expression(({ selectFrom, val }) =>
      selectFrom('next').select([
        'next.value',
        val(row.projectId).as('projectId'),
        val(row.eventType).as('eventType'),
        val(row.occurredAt).as('occurredAt'),
        val(row.author).as('author'),
        val(row.authorId).as('authorId'),
        val(row.description).as('description'),
        val(row.stories).as('stories'),
      ]),
    )
    .returning('version'),
);

export async function activityById(tx: Tx, id: number): Promise<ActivityRow | undefined> {
  return tx.selectFrom('activities').selectAll().where('id', '=', id).executeTakeFirst();
}

export interface ActivitySelection {
  readonly limit: number;
  readonly newerThanVersion?: number;
  /** Inclusive, in milliseconds since the epoch. */
  readonly occurredSince?: number;
}

/** Bytes of the changes to stories that are read with the rest of an activity. */
const SHORT = 8_192;

/** What the activities of these ids changed, as it is kept. */
export async function changesOf(tx: Tx, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = await tx.selectFrom('activities').select(['id', 'stories']).where('id', 'in', idList(ids)).execute();
  return new Map(rows.map(({ id, stories }) => [id, stories]));
}

/** Those of one project, newest first. */
export async function activitiesOfProject(
  tx: Tx,
  projectId: number,
  selection: ActivitySelection,
): Promise<ActivityHead[]> {
  return newestOf(tx, projectId, selection).execute();
}

/**
 * Those of several projects, newest first. What is among the newest of all is among the newest of one of the projects that were
 * active last, so the cost is that of these few, however many projects and activities there are.
 */
export async function activitiesOfProjects(
  tx: Tx,
  projectIds: ProjectIds,
  selection: ActivitySelection,
): Promise<ActivityHead[]> {
  const [first, ...others] = await lastActive(tx, projectIds, selection);
  if (first === undefined) return [];
  const ofOne = (id: number) => tx.selectFrom(newestOf(tx, id, selection).as('newest')).selectAll('newest');
  const all = others.reduce((query, id) => query.unionAll(ofOne(id)), ofOne(first));
  return all.orderBy('version', 'desc').limit(selection.limit).execute();
}

/** The projects whose newest activities are the newest of all, at most as many as activities are wanted. */
async function lastActive(tx: Tx, projectIds: ProjectIds, selection: ActivitySelection): Promise<readonly number[]> {
  const { limit, newerThanVersion = -1 } = selection;
  const rows = await tx
    .selectFrom('projects')
    .select(['id', ({ selectFrom }) => newestVersion(selectFrom, selection).as('newest')])
    .where('id', 'in', projectIds)
    .execute();
  return rows
    .flatMap(({ id, newest }) => (newest === null || newest <= newerThanVersion ? [] : [{ id, newest }]))
    .sort((one, other) => other.newest - one.newest)
    .slice(0, limit)
    .map(({ id }) => id);
}

/** Of a project, by looking at the end of its activities. When something occurred is not always in the order of versions. */
function newestVersion(
  selectFrom: ExpressionBuilder<Schema, 'projects'>['selectFrom'],
  { occurredSince }: ActivitySelection,
) {
  const newest = selectFrom('activities')
    .select(({ fn }) => fn.max<number | null>('version').as('newest'))
    .whereRef('projectId', '=', 'projects.id');
  return occurredSince === undefined ? newest : newest.where('occurredAt', '>=', occurredSince);
}

function newestOf(tx: Tx, projectId: number, { limit, newerThanVersion, occurredSince }: ActivitySelection) {
  let query = tx
    .selectFrom('activities')
    .select(['id', 'version', 'projectId', 'eventType', 'occurredAt', 'author', 'authorId', 'description'])
    .select(
      sql<string | null>`case when octet_length(${sql.ref('stories')}) <= ${SHORT} then ${sql.ref('stories')} end`.as(
        'stories',
      ),
    )
    .where('projectId', '=', projectId);
  if (newerThanVersion !== undefined) query = query.where('version', '>', newerThanVersion);
  if (occurredSince !== undefined) query = query.where('occurredAt', '>=', occurredSince);
  return query.orderBy('version', 'desc').limit(limit);
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
