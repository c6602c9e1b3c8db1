import { join } from 'node:path';
import { AttachmentFiles } from '../attachments/attachmentFiles.ts';
import { UsageError } from '../ground/errors.ts';
import { readNumber } from '../input/optionValues.ts';
import type { Database, Tx } from '../store/database.ts';
import { membershipsOfProject } from '../store/projects/memberships.ts';
import { allProjects, lockProject, type ProjectRow } from '../store/projects/projects.ts';
import { removeProject } from '../useCases/projects.ts';
import { command, jsonOption, table } from './command.ts';
import { storeOptions, withOpenStore, withStore } from './withStore.ts';

/** Names the project of a command. */
export const projectOption = {
  project: { type: 'string', isNeeded: true, value: 'ID', help: 'project ID from project list' },
} as const;

const options = {
  ...projectOption,
  name: { type: 'string', isNeeded: true, value: 'NAME', help: 'project name, to confirm which one you mean' },
  ...storeOptions,
  ...jsonOption,
} as const;

export const projectList = command({
  name: 'project list',
  summary: 'list projects: ID, name and owners, one per line',
  about: 'Lists projects: ID, name and owners.',
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

export const projectRemove = command({
  name: 'project remove',
  summary: 'remove a project with all its stories',
  about:
    'Removes a project with its stories, comments, files and activity. You can only get them back from an earlier export or backup. The files stay in attachments/trash for a month so that a backup can use them.',
  options,
  examples: ['--project 1 --name Apollo'],
  run: async (given) =>
    withOpenStore(given, async ({ database, folder }) => {
      const removed = await changedProject(database, given.project, async (tx, project) => {
        if (project.name !== given.name) {
          throw new UsageError(
            `Project ${project.id} is named ${project.name}. To remove it, pass that name with --name.`,
          );
        }
        return { ...project, files: await removeProject(tx, project) };
      });
      const attachments = await AttachmentFiles.open(join(folder, 'attachments'));
      await attachments.discard(removed.files);
      const { id, name } = removed;
      return { text: `Removed project ${id}, ${name}.\n`, data: { id, name } };
    }),
});

/** Changes the project that `--project` names, so that services that are running see it at once. */
export function changedProject<T>(
  database: Database,
  project: string | undefined,
  work: (tx: Tx, project: ProjectRow) => Promise<T>,
): Promise<T> {
  const id = readNumber(project ?? '', 'project', 1, 2_147_483_647);
  return database.write(async (tx) => {
    const row = await lockProject(tx, id);
    if (!row) throw new UsageError(`No project has the ID ${id}.`);
    return work(tx, row);
  });
}
