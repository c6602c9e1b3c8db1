import type { Tx } from '../database.ts';

/** Of how many done iterations a project's velocity is the average. */
export async function velocity(db: Tx): Promise<void> {
  await db.schema
    .alterTable('projects')
    .addColumn('averagedIterations', 'integer', (c) => c.notNull().defaultTo(3))
    .execute();
}
