import { membershipsOfProject } from '../store/projects/memberships.ts';
import { allProjects } from '../store/projects/projects.ts';
import { command, jsonOption } from './command.ts';
import { table } from './table.ts';
import { storeOptions, withStore } from './withStore.ts';

export const projectList = command({
  name: 'project list',
  summary: 'the projects: id, name and owners, one a line',
  about: 'Lists the projects: id, name and owners.',
  options: { ...storeOptions, ...jsonOption },
  examples: ['', '--json'],
  run: async (given) => {
    const projects = await withStore(given, (database) =>
      database.read(async (tx) => {
        const found: { id: number; name: string; owners: string[] }[] = [];
        for (const { id, name } of await allProjects(tx)) {
          const members = await membershipsOfProject(tx, id);
          const owners = members.filter(({ role }) => role === 'Owner').map(({ person }) => person.name);
          found.push({ id, name, owners });
        }
        return found;
      }),
    );
    return {
      text: table(projects.map(({ id, name, owners }) => [id, name, owners.join(', ') || 'no owner'])),
      data: projects,
    };
  },
});
