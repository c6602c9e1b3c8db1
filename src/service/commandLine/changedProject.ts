import { UsageError } from '../ground/usageError.ts';
import { readNumber } from '../input/optionValues.ts';
import type { Database, Tx } from '../store/database.ts';
import { lockProject, type ProjectRow } from '../store/projects/projects.ts';

/** Names the project of a command. */
export const projectOption = {
  project: { type: 'string', isNeeded: true, value: 'ID', help: 'the project, as project list numbers it' },
} as const;

/** Changes the project that `--project` names, so that services that are running see it at once. */
export function changedProject<T>(
  database: Database,
  project: string | undefined,
  work: (tx: Tx, project: ProjectRow) => Promise<T>,
): Promise<T> {
  const id = readNumber(project ?? '', 'project', 1, 2_147_483_647);
  return database.write(async (tx) => {
    const row = await lockProject(tx, id);
    if (!row) throw new UsageError(`There is no project ${id}.`);
    return work(tx, row);
  });
}
