import type { Insertable, Selectable } from 'kysely';
import type { Tx } from '../database.ts';
import type { Schema } from '../schema.ts';

export type IntegrationRow = Selectable<Schema['integrations']>;

export async function integrationsOfProject(tx: Tx, projectId: number): Promise<IntegrationRow[]> {
  return tx.selectFrom('integrations').selectAll().where('projectId', '=', projectId).orderBy('id').execute();
}

export async function integrationsOfProjects(tx: Tx, projectIds: readonly number[]): Promise<IntegrationRow[]> {
  return tx
    .selectFrom('integrations')
    .selectAll()
    .where('projectId', 'in', [...projectIds])
    .orderBy('id')
    .execute();
}

export async function addIntegration(tx: Tx, row: Omit<Insertable<Schema['integrations']>, 'id'>): Promise<number> {
  const added = await tx.insertInto('integrations').values(row).returning('id').executeTakeFirstOrThrow();
  return added.id;
}

/** Whether there is such an integration in the project, now switched on or off. */
export async function switchIntegration(tx: Tx, projectId: number, id: number, isActive: boolean): Promise<boolean> {
  const switched = await tx
    .updateTable('integrations')
    .set({ active: Number(isActive) })
    .where('projectId', '=', projectId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return switched !== undefined;
}

/** What comes before the id in the addresses of an integration's tickets. */
export async function setTicketUrl(tx: Tx, id: number, ticketUrl: string): Promise<void> {
  await tx.updateTable('integrations').set({ ticketUrl }).where('id', '=', id).execute();
}
