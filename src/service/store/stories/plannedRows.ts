import type { Tx } from '../database.ts';
import { allRows, byProject } from '../rows.ts';

/** What a plan needs of a story. */
const COLUMNS = ['projectId', 'id', 'type', 'state', 'estimate', 'acceptedAt'] as const;

type PlannedRow = Awaited<ReturnType<typeof rowsOf>>[number];

/** Of every story of these projects, in priority order, the icebox last. */
export async function plannedRows(
  tx: Tx,
  projectIds: readonly number[],
): Promise<(projectId: number) => readonly PlannedRow[]> {
  return byProject(await rowsOf(tx, projectIds));
}

function rowsOf(tx: Tx, projectIds: readonly number[]) {
  return allRows(
    tx,
    tx
      .selectFrom('stories')
      .select(COLUMNS)
      .where('projectId', 'in', [...projectIds])
      .orderBy('projectId')
      .orderBy('inIcebox')
      .orderBy('rank'),
  );
}
