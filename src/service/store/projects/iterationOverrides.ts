import type { Tx } from '../database.ts';

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

export async function overridesOfProjects(tx: Tx, projectIds: readonly number[]) {
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
