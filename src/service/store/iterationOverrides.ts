import type { Tx } from './database.ts';

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
