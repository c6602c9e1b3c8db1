import { readFormBody } from '../../v3/formBody.ts';
import { readNewProject } from '../../v3/newProject.ts';
import { updateProject } from '../store/projects.ts';
import { projectSettings } from '../useCases/projectSettings.ts';
import { changedProject } from './changedProject.ts';
import { readOptions } from './options.ts';
import { UsageError } from './usageError.ts';
import { storeOptions, withStore } from './withStore.ts';

/** As the elements of a new project are called (api-v3.md, Project). */
export const settingNames: readonly string[] = [
  ...['name', 'iteration_length', 'week_start_day', 'point_scale', 'start_date', 'initial_velocity'],
  ...['velocity_scheme', 'number_of_done_iterations_to_show', 'enable_tasks'],
  ...['allow_attachments', 'use_https', 'bugs_and_chores_are_estimatable', 'commit_mode'],
];

const options = {
  project: { type: 'string' },
  set: { type: 'string', multiple: true, default: [] as string[] },
  ...storeOptions,
} as const;

/** Changes settings, by the rules that a new project has to keep. */
export async function projectSet(args: readonly string[]): Promise<string> {
  const given = readOptions(args, options);
  const element = readFormBody(new URLSearchParams(given.set.map(settingOf)), 'project');
  if (!element) throw new UsageError('Say what to change with --set NAME=VALUE.');
  const wanted = readNewProject(element);
  return withStore(given, (database) =>
    changedProject(database, given.project, async (tx, project) => {
      const name = wanted.name === '' ? project.name : wanted.name.trim();
      await updateProject(tx, project.id, { ...projectSettings({ ...wanted, name }), name });
      return `Changed project ${project.id}, ${name}.\n`;
    }),
  );
}

function settingOf(text: string): [string, string] {
  const [, name = '', value = ''] = /^([a-z_]+)=(.*)$/s.exec(text) ?? [];
  if (!settingNames.includes(name))
    throw new UsageError(`--set takes NAME=VALUE; names are ${settingNames.join(', ')}.`);
  if (value.trim() === '') throw new UsageError(`Say what ${name} is to be.`);
  return [`project[${name}]`, value];
}
