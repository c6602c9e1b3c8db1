import type { Tx } from './database.ts';

/** Replaces the labels of a story; labels that no story has any more are forgotten. */
export async function setLabels(tx: Tx, projectId: number, storyId: number, names: readonly string[]): Promise<void> {
  await tx.deleteFrom('storyLabels').where('storyId', '=', storyId).execute();
  await addLabels(tx, projectId, storyId, names);
  await forgetUnusedLabels(tx, projectId);
}

/** Labels a story that has no label yet. */
export async function addLabels(tx: Tx, projectId: number, storyId: number, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const ids = await labelIds(tx, projectId, names);
  const labels = names.flatMap((name, position) => {
    const labelId = ids.get(name);
    return labelId === undefined ? [] : [{ storyId, labelId, projectId, position }];
  });
  await tx.insertInto('storyLabels').values(labels).execute();
}

export async function forgetUnusedLabels(tx: Tx, projectId: number): Promise<void> {
  await tx
    .deleteFrom('labels')
    .where('projectId', '=', projectId)
    .where('id', 'not in', (used) =>
      used.selectFrom('storyLabels').select('labelId').where('projectId', '=', projectId),
    )
    .execute();
}

/** In no order. */
export async function labelsOfProjects(tx: Tx, projectIds: readonly number[]) {
  return tx
    .selectFrom('labels')
    .select(['projectId', 'name'])
    .where('projectId', 'in', [...projectIds])
    .execute();
}

/** By name. */
export async function labelIdsOfProject(tx: Tx, projectId: number): Promise<Map<string, number>> {
  const rows = await tx.selectFrom('labels').select(['id', 'name']).where('projectId', '=', projectId).execute();
  return new Map(rows.map(({ id, name }) => [name, id]));
}

/** The ids of the project's labels of these names; those that it has not are added. */
async function labelIds(tx: Tx, projectId: number, names: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const known = await tx
    .selectFrom('labels')
    .select(['id', 'name'])
    .where('projectId', '=', projectId)
    .where('name', 'in', [...names])
    .execute();
  const ids = new Map(known.map(({ id, name }) => [name, id]));
  const missing = names.filter((name) => !ids.has(name)).map((name) => ({ projectId, name }));
  if (missing.length === 0) return ids;
  const added = await tx.insertInto('labels').values(missing).returning(['id', 'name']).execute();
  for (const { id, name } of added) ids.set(name, id);
  return ids;
}
