import { membershipsOfProject } from '../store/memberships.ts';
import { allProjects } from '../store/projects.ts';
import { readOptions } from './options.ts';
import { storeOptions, withStore } from './withStore.ts';

/** A line for each project: id, name, owners. */
export async function projectList(args: readonly string[]): Promise<string> {
  const lines = await withStore(readOptions(args, storeOptions), (database) =>
    database.read(async (tx) => {
      const rows: string[] = [];
      for (const { id, name } of await allProjects(tx)) {
        const members = await membershipsOfProject(tx, id);
        const owners = members.filter(({ role }) => role === 'Owner').map(({ person }) => person.name);
        rows.push(`${[id, name, owners.join(', ') || 'no owner'].join('\t')}\n`);
      }
      return rows;
    }),
  );
  return lines.join('');
}
