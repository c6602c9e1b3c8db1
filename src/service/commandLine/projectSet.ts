import { readFormBody } from '../../v3/formBody.ts';
import { readNewProject } from '../../v3/newProject.ts';
import { UsageError } from '../ground/usageError.ts';
import { updateProject } from '../store/projects/projects.ts';
import { setWebHook } from '../store/projects/webHook.ts';
import { projectSettings } from '../useCases/projectSettings.ts';
import { changedProject, projectOption } from './changedProject.ts';
import { command, jsonOption } from './command.ts';
import { toldOfWebHook, WEB_HOOK_URL, webHookChange } from './projectWebHook.ts';
import { webHookOptions } from './webHookInput.ts';
import { storeOptions, withStore } from './withStore.ts';

const START_DATE = 'start_date';
/** Settings that a project may be without. */
const clearable: readonly string[] = [WEB_HOOK_URL, START_DATE];

/** As the elements of a new project are called (api-v3.md, Project). */
const settingNames: readonly string[] = [
  ...['name', 'iteration_length', 'week_start_day', 'point_scale', 'account', START_DATE, 'initial_velocity'],
  ...['velocity_scheme', 'number_of_done_iterations_to_show', 'enable_tasks'],
  ...['allow_attachments', 'use_https', 'bugs_and_chores_are_estimatable', 'commit_mode', WEB_HOOK_URL],
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
  ...webHookOptions,
  ...storeOptions,
  ...jsonOption,
} as const;

export const projectSet = command({
  name: 'project set',
  summary: 'change settings of a project',
  about: `Changes settings of a project, which counts at once, also in services that are running. Settings are ${settingNames.join(', ')}. The activity of the project is posted to ${WEB_HOOK_URL}; without a value it no longer is. Without a ${START_DATE} a project starts with the first story that is accepted.`,
  options,
  examples: [
    '--project 1 --set commit_mode=true --set "velocity_scheme=Average of 2 iterations"',
    '--project 1 --set web_hook_url=https://ci.example.org/activity --web-hook-secret-stdin < secret.txt',
    '--project 1 --web-hook-url-file address.txt',
  ],
  run: async (given) => {
    const settings = given.set.map(settingOf);
    const fields = settings.filter(([name, value]) => name !== WEB_HOOK_URL && value.trim() !== '').map(fieldOf);
    const hasNoStart = settings.findLast(([name]) => name === START_DATE)?.[1].trim() === '';
    const element = readFormBody(new URLSearchParams(fields), 'project');
    const [, typed] = settings.findLast(([name]) => name === WEB_HOOK_URL) ?? [];
    const webHook = await webHookChange(typed, given);
    if (!element && !webHook && !hasNoStart) throw new UsageError('Nothing to change: give --set NAME=VALUE.');
    const wanted = element ? readNewProject(element) : { name: '' };
    return withStore(given, (database) =>
      changedProject(database, given.project, async (tx, project) => {
        const name = wanted.name === '' ? project.name : wanted.name.trim();
        await updateProject(tx, project.id, {
          ...projectSettings({ ...wanted, name }),
          ...(hasNoStart && { startDate: null }),
          name,
        });
        if (webHook) await setWebHook(tx, project.id, webHook, Date.now());
        const text = `Changed project ${project.id}, ${name}.${toldOfWebHook(webHook, typed)}\n`;
        return { text, data: { id: project.id, name } };
      }),
    );
  },
});

function settingOf(text: string): [string, string] {
  const [, name = '', value = ''] = /^([a-z_]+)=(.*)$/s.exec(text) ?? [];
  if (!settingNames.includes(name))
    throw new UsageError(`--set takes NAME=VALUE; names are ${settingNames.join(', ')}.`);
  if (value.trim() === '' && !clearable.includes(name)) throw new UsageError(`The value of ${name} is missing.`);
  return [name, value];
}

function fieldOf([name, value]: [string, string]): [string, string] {
  return [`project[${name}]`, value];
}
