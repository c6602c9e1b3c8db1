import { join } from 'node:path';
import { AttachmentFiles } from '../attachments/attachmentFiles.ts';
import { UsageError } from '../ground/usageError.ts';
import { removeProject } from '../useCases/removeProject.ts';
import { changedProject, projectOption } from './changedProject.ts';
import { command, jsonOption } from './command.ts';
import { storeOptions, withOpenStore } from './withStore.ts';

const options = {
  ...projectOption,
  name: { type: 'string', isNeeded: true, value: 'NAME', help: 'its name, so that it is this one and no other' },
  ...storeOptions,
  ...jsonOption,
} as const;

export const projectRemove = command({
  name: 'project remove',
  summary: 'remove a project with all its stories',
  about:
    'Removes a project with its stories, comments, files and activity. Nothing brings them back but what export or backup wrote before. The files stay in attachments/trash for a month, for such a backup.',
  options,
  examples: ['--project 1 --name Apollo'],
  run: async (given) =>
    withOpenStore(given, async ({ database, folder }) => {
      const removed = await changedProject(database, given.project, async (tx, project) => {
        if (project.name !== given.name) {
          throw new UsageError(`Project ${project.id} is called ${project.name}. Give that as --name to remove it.`);
        }
        return { ...project, files: await removeProject(tx, project) };
      });
      const attachments = await AttachmentFiles.open(join(folder, 'attachments'));
      await attachments.discard(removed.files);
      const { id, name } = removed;
      return { text: `Removed project ${id}, ${name}.\n`, data: { id, name } };
    }),
});
