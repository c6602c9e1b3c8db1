import type { Tx } from './database.ts';

/** Replaces the labels of a story; labels that no story has any more are forgotten. */
export async function setLabels(tx: Tx, projectId: number, storyId: number, names: readonly string[]): Promise<void> {
  await tx.deleteFrom('storyLabels').where('storyId', '=', storyId).execute();
  for (const [position, name] of names.entries()) {
    const labelId = await labelNamed(tx, projectId, name);
    await tx.insertInto('storyLabels').values({ storyId, labelId, projectId, position }).execute();
  }
  await forgetUnusedLabels(tx, projectId);
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

/** Sorted, as the project element lists them. */
export async function labelsOfProject(tx: Tx, projectId: number): Promise<string[]> {
  const rows = await tx.selectFrom('labels').select('name').where('projectId', '=', projectId).execute();
  return rows.map(({ name }) => name).sort();
}

async function labelNamed(tx: Tx, projectId: number, name: string): Promise<number> {
  const known = await tx
    .selectFrom('labels')
    .select('id')
    .where('projectId', '=', projectId)
    .where('name', '=', name)
    .executeTakeFirst();
  if (known) return known.id;
  const added = await tx.insertInto('labels').values({ projectId, name }).returning('id').executeTakeFirstOrThrow();
  return added.id;
}
