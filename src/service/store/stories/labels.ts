import { MAX_LABELS_OF_PROJECT } from '../../../core/limits.ts';
import { unprocessable } from '../../ground/errors.ts';
import type { Tx } from '../database.ts';

/**
 * Replaces the labels of a story; labels that no story has any more are forgotten. Throws `Refusal` 422 when a new one would be one more
 * than a project may have.
 */
export async function setLabels(tx: Tx, projectId: number, storyId: number, names: readonly string[]): Promise<void> {
  await removeLabels(tx, storyId);
  const areNew = await label(tx, projectId, storyId, names);
  await forgetUnusedLabels(tx, projectId);
  if (areNew) await refuseTooMany(tx, projectId);
}

/** Labels a story that has no label yet. Throws as `setLabels` does. */
export async function addLabels(tx: Tx, projectId: number, storyId: number, names: readonly string[]): Promise<void> {
  if (await label(tx, projectId, storyId, names)) await refuseTooMany(tx, projectId);
}

async function refuseTooMany(tx: Tx, projectId: number): Promise<void> {
  const some = tx
    .selectFrom('labels')
    .select('id')
    .where('projectId', '=', projectId)
    .limit(MAX_LABELS_OF_PROJECT + 1);
  if ((await some.execute()).length <= MAX_LABELS_OF_PROJECT) return;
  const most = MAX_LABELS_OF_PROJECT.toLocaleString('en');
  throw unprocessable(
    `A project can have at most ${most} different labels. Use an existing one, or remove some from stories.`,
  );
}

/** Whether one of the labels is new in the project. */
async function label(tx: Tx, projectId: number, storyId: number, names: readonly string[]): Promise<boolean> {
  if (names.length === 0) return false;
  const { ids, areNew } = await labelIds(tx, projectId, names);
  const labels = names.flatMap((name, position) => {
    const labelId = ids.get(name);
    return labelId === undefined ? [] : [{ storyId, labelId, projectId, position }];
  });
  await tx.insertInto('storyLabels').values(labels).execute();
  return areNew;
}

/** Of one story; the project keeps them. */
export async function removeLabels(tx: Tx, storyId: number): Promise<void> {
  await tx.deleteFrom('storyLabels').where('storyId', '=', storyId).execute();
}

/** Adds a label to a project, which has none of this name. Gives its id. */
export async function insertLabel(tx: Tx, projectId: number, name: string): Promise<number> {
  const { id } = await tx.insertInto('labels').values({ projectId, name }).returning('id').executeTakeFirstOrThrow();
  return id;
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

/** In no order; of a project with more than it may have, from before there was a limit, the oldest, as many as it may. */
export async function labelsOfProjects(tx: Tx, projectIds: readonly number[]) {
  const most = projectIds.length * MAX_LABELS_OF_PROJECT;
  const rows = await labelsIn(tx, projectIds).limit(most).execute();
  if (rows.length < most && isWithinLimit(rows)) return rows;
  const ofEach: { readonly projectId: number; readonly name: string }[] = [];
  for (const id of projectIds) {
    ofEach.push(...(await labelsIn(tx, [id]).orderBy('id').limit(MAX_LABELS_OF_PROJECT).execute()));
  }
  return ofEach;
}

function isWithinLimit(rows: readonly { readonly projectId: number }[]): boolean {
  const counts = new Map<number, number>();
  for (const { projectId } of rows) counts.set(projectId, (counts.get(projectId) ?? 0) + 1);
  return [...counts.values()].every((count) => count <= MAX_LABELS_OF_PROJECT);
}

function labelsIn(tx: Tx, projectIds: readonly number[]) {
  return tx
    .selectFrom('labels')
    .select(['projectId', 'name'])
    .where('projectId', 'in', [...projectIds]);
}

/** By name. */
export async function labelIdsOfProject(tx: Tx, projectId: number): Promise<Map<string, number>> {
  const rows = await tx.selectFrom('labels').select(['id', 'name']).where('projectId', '=', projectId).execute();
  return new Map(rows.map(({ id, name }) => [name, id]));
}

/** The ids of the project's labels of these names; those that it has not are added. */
async function labelIds(tx: Tx, projectId: number, names: readonly string[]) {
  const known = await tx
    .selectFrom('labels')
    .select(['id', 'name'])
    .where('projectId', '=', projectId)
    .where('name', 'in', [...names])
    .execute();
  const ids = new Map(known.map(({ id, name }) => [name, id]));
  const missing = names.filter((name) => !ids.has(name)).map((name) => ({ projectId, name }));
  if (missing.length === 0) return { ids, areNew: false };
  const added = await tx.insertInto('labels').values(missing).returning(['id', 'name']).execute();
  for (const { id, name } of added) ids.set(name, id);
  return { ids, areNew: true };
}
