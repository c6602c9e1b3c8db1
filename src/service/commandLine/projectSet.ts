import { readFormBody } from '../../v3/formBody.ts';
import { readNewProject } from '../../v3/newProject.ts';
import { updateProject } from '../store/projects.ts';
import { projectSettings } from '../useCases/projectSettings.ts';
import { changedProject, projectOption } from './changedProject.ts';
import { command } from './command.ts';
import { UsageError } from './usageError.ts';
import { storeOptions, withStore } from './withStore.ts';

/** As the elements of a new project are called (api-v3.md, Project). */
const settingNames: readonly string[] = [
  ...['name', 'iteration_length', 'week_start_day', 'point_scale', 'start_date', 'initial_velocity'],
  ...['velocity_scheme', 'number_of_done_iterations_to_show', 'enable_tasks'],
  ...['allow_attachments', 'use_https', 'bugs_and_chores_are_estimatable', 'commit_mode'],
];

const options = {
  ...projectOption,
  set: {
    type: 'string',
    multiple: true,
    default: [] as string[],
    isNeeded: true,
    value: 'NAME=VALUE',
    help: 'a setting and its value',
  },
  ...storeOptions,
} as const;

export const projectSet = command({
  name: 'project set',
  summary: 'change settings of a project',
  about: `Changes settings of a project, which counts at once, also in services that are running. Settings are ${settingNames.join(', ')}.`,
  options,
  examples: ['--project 1 --set commit_mode=true --set "velocity_scheme=Average of 2 iterations"'],
  run: async (given) => {
    const element = readFormBody(new URLSearchParams(given.set.map(settingOf)), 'project');
    if (!element) throw new UsageError('Say what to change with --set NAME=VALUE.');
    const wanted = readNewProject(element);
    const text = await withStore(given, (database) =>
      changedProject(database, given.project, async (tx, project) => {
        const name = wanted.name === '' ? project.name : wanted.name.trim();
        await updateProject(tx, project.id, { ...projectSettings({ ...wanted, name }), name });
        return `Changed project ${project.id}, ${name}.\n`;
      }),
    );
    return { text };
  },
});

function settingOf(text: string): [string, string] {
  const [, name = '', value = ''] = /^([a-z_]+)=(.*)$/s.exec(text) ?? [];
  if (!settingNames.includes(name))
    throw new UsageError(`--set takes NAME=VALUE; names are ${settingNames.join(', ')}.`);
  if (value.trim() === '') throw new UsageError(`Say what ${name} is to be.`);
  return [`project[${name}]`, value];
}
