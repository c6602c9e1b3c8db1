import type { Tx } from '../database.ts';

/** Stories that are not accepted yet, by the id of the membership of who owns them; none are left out. */
export async function ownedStories(tx: Tx, projectId: number): Promise<ReadonlyMap<number, number>> {
  const rows = await tx
    .selectFrom('memberships')
    .innerJoin('stories', (join) =>
      join.onRef('stories.ownerId', '=', 'memberships.userId').onRef('stories.projectId', '=', 'memberships.projectId'),
    )
    .select(({ fn }) => ['memberships.id as id', fn.countAll<number>().as('count')])
    .where('memberships.projectId', '=', projectId)
    .where('stories.state', '<>', 'accepted')
    .groupBy('memberships.id')
    .execute();
  return new Map(rows.map(({ id, count }) => [id, Number(count)]));
}

/** Stories with a ticket of an integration, by the id of that. */
export async function linkedStories(tx: Tx, projectId: number): Promise<ReadonlyMap<number, number>> {
  const rows = await tx
    .selectFrom('stories')
    .select(({ fn }) => ['integrationId', fn.countAll<number>().as('count')])
    .where('projectId', '=', projectId)
    .where('integrationId', 'is not', null)
    .groupBy('integrationId')
    .execute();
  return new Map(rows.map(({ integrationId, count }) => [integrationId ?? 0, Number(count)]));
}
