import type { Insertable, Selectable } from 'kysely';
import type { Membership } from '../../../core/story/project.ts';
import type { Tx } from '../database.ts';
import { byProject } from '../queries.ts';
import type { Schema } from '../schema.ts';
import { labelsOfProjects } from '../stories/labels.ts';
import { membershipsOfProjects } from './memberships.ts';

export type IntegrationRow = Selectable<Schema['integrations']>;

export async function integrationsOfProject(tx: Tx, projectId: number): Promise<IntegrationRow[]> {
  return tx.selectFrom('integrations').selectAll().where('projectId', '=', projectId).orderBy('id').execute();
}

async function integrationsOfProjects(tx: Tx, projectIds: readonly number[]): Promise<IntegrationRow[]> {
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

export async function updateIntegration(
  tx: Tx,
  projectId: number,
  id: number,
  change: Partial<Pick<IntegrationRow, 'name' | 'fieldLabel' | 'ticketUrl' | 'active'>>,
): Promise<void> {
  await tx.updateTable('integrations').set(change).where('projectId', '=', projectId).where('id', '=', id).execute();
}

export async function deleteIntegration(tx: Tx, projectId: number, id: number): Promise<void> {
  await tx.deleteFrom('integrations').where('projectId', '=', projectId).where('id', '=', id).execute();
}

/** What comes before the id in the addresses of an integration's tickets. */
export async function setTicketUrl(tx: Tx, id: number, ticketUrl: string): Promise<void> {
  await tx.updateTable('integrations').set({ ticketUrl }).where('id', '=', id).execute();
}

/** An iteration whose team strength or length differs from the project's. */
export interface IterationOverride {
  readonly number: number;
  /** 1 is a full team. */
  readonly teamStrength: number;
  readonly weeks: number | null;
}

export async function overridesOfProject(tx: Tx, projectId: number): Promise<IterationOverride[]> {
  return tx
    .selectFrom('iterationOverrides')
    .select(['number', 'teamStrength', 'weeks'])
    .where('projectId', '=', projectId)
    .orderBy('number')
    .execute();
}

async function overridesOfProjects(tx: Tx, projectIds: readonly number[]) {
  return tx
    .selectFrom('iterationOverrides')
    .select(['projectId', 'number', 'teamStrength', 'weeks'])
    .where('projectId', 'in', [...projectIds])
    .orderBy('number')
    .execute();
}

/** Replaces what one iteration was said to be; nothing is kept of one that is as usual. */
export async function setOverride(tx: Tx, projectId: number, override: IterationOverride): Promise<void> {
  const { number, teamStrength, weeks } = override;
  await tx.deleteFrom('iterationOverrides').where('projectId', '=', projectId).where('number', '=', number).execute();
  if (teamStrength === 1 && weeks === null) return;
  await tx.insertInto('iterationOverrides').values({ projectId, number, teamStrength, weeks }).execute();
}

/** What is stored of a project beside its own row and its stories. */
export interface ProjectParts {
  /** Sorted. */
  readonly labels: readonly string[];
  readonly memberships: readonly Membership[];
  readonly integrations: readonly IntegrationRow[];
  readonly overrides: readonly IterationOverride[];
}

/** Those of several projects at once, in as many queries as for one. */
export async function partsOfProjects(
  tx: Tx,
  projectIds: readonly number[],
): Promise<(projectId: number) => ProjectParts> {
  const labels = byProject(await labelsOfProjects(tx, projectIds));
  const memberships = byProject(await membershipsOfProjects(tx, projectIds));
  const integrations = byProject(await integrationsOfProjects(tx, projectIds));
  const overrides = byProject(await overridesOfProjects(tx, projectIds));
  return (id) => ({
    // Sorted here: by PostgreSQL, names would follow the language of its database. Of texts, only ranks are compared bytewise there.
    labels: labels(id)
      .map(({ name }) => name)
      .sort(),
    memberships: memberships(id).map(({ membership }) => membership),
    integrations: integrations(id),
    overrides: overrides(id),
  });
}
