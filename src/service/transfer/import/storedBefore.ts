import type { Selectable } from 'kysely';
import type { Tx } from '../../store/database.ts';
import type { Schema } from '../../store/schema.ts';
import type { StoryRow } from '../../store/stories/storyRows.ts';

/** Which story came of which one in a file. */
export type Mapping = Selectable<Schema['importedStories']>;

/** By the stories' ids where they came from. */
export async function mappingsOf(
  tx: Tx,
  projectId: number,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, Mapping>> {
  if (externalIds.length === 0) return new Map();
  const query = tx.selectFrom('importedStories').selectAll().where('projectId', '=', projectId);
  const rows = await query.where('externalId', 'in', [...externalIds]).execute();
  return new Map(rows.map((row) => [row.externalId, row]));
}

export async function changeMapping(
  tx: Tx,
  { projectId, externalId }: Mapping,
  change: Pick<Mapping, 'digest' | 'place'>,
): Promise<void> {
  const mapping = tx.updateTable('importedStories').set(change).where('projectId', '=', projectId);
  await mapping.where('externalId', '=', externalId).execute();
}

/** The stories of mappings as they are now, by their ids here. */
export async function rowsOf(tx: Tx, mappings: Iterable<Mapping>): Promise<ReadonlyMap<number, StoryRow>> {
  const ids = [...mappings].flatMap(({ storyId }) => storyId ?? []);
  if (ids.length === 0) return new Map();
  const rows = await tx.selectFrom('stories').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Which of these ids stories have already, whatever their project. */
export async function takenIds(tx: Tx, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = await tx
    .selectFrom('stories')
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  return new Set(rows.map(({ id }) => id));
}
