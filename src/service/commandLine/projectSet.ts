import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { readFormBody } from '../../v3/formBody.ts';
import { readNewProject } from '../../v3/newProject.ts';
import { UsageError } from '../ground/errors.ts';
import { readNumber } from '../input/optionValues.ts';
import { setOverride } from '../store/projects/projectParts.ts';
import { updateProject } from '../store/projects/projects.ts';
import { setWebHook, type WebHookChange } from '../store/projects/webHook.ts';
import { projectSettings } from '../useCases/projectRules.ts';
import { readWebHookUrl } from '../webHooks/receiverRules.ts';
import { command, jsonOption } from './command.ts';
import { changedProject, projectOption } from './projectCommands.ts';
import { storeOptions, withStore } from './withStore.ts';

const START_DATE = 'start_date';

/** Set by the command line only (api-v3.md, Events: in the project settings). */
const WEB_HOOK_URL = 'web_hook_url';
/** Settings that a project may be without. */
const clearable: readonly string[] = [WEB_HOOK_URL, START_DATE];

/** As the elements of a new project are called (api-v3.md, Project). */
const settingNames: readonly string[] = [
  ...['name', 'iteration_length', 'week_start_day', 'point_scale', 'account', START_DATE, 'initial_velocity'],
  ...['velocity_scheme', 'number_of_done_iterations_to_show', 'enable_tasks'],
  ...['allow_attachments', 'use_https', 'bugs_and_chores_are_estimatable', 'commit_mode', WEB_HOOK_URL],
];

const webHookOptions = {
  'web-hook-url-file': {
    type: 'string',
    value: 'FILE',
    help: 'read the web hook URL from a file, or from standard input if FILE is -. Other users of this machine can read command lines, but not that',
  },
  'web-hook-secret-stdin': {
    type: 'boolean',
    default: false,
    help: 'read the secret that signs web hook posts from standard input. Empty input turns signing off',
  },
} as const;

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
  about: `Changes settings of a project. Running services apply them immediately. The settings are ${settingNames.join(', ')}. The activity of the project is posted to ${WEB_HOOK_URL}; leave its value empty to stop that. Without a ${START_DATE}, a project starts with its first accepted story.`,
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
    if (!element && !webHook && !hasNoStart) throw new UsageError('Nothing to change. Pass --set NAME=VALUE.');
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
    throw new UsageError(`--set must be NAME=VALUE, where NAME is one of ${settingNames.join(', ')}.`);
  if (value.trim() === '' && !clearable.includes(name)) throw new UsageError(`Missing the value of ${name}.`);
  return [name, value];
}

function fieldOf([name, value]: [string, string]): [string, string] {
  return [`project[${name}]`, value];
}

interface Given {
  readonly 'web-hook-url-file'?: string | undefined;
  readonly 'web-hook-secret-stdin': boolean;
}

/** What a command says of the web hook, `typed` in the command itself or in a file; undefined when nothing. */
async function webHookChange(typed: string | undefined, given: Given): Promise<WebHookChange | undefined> {
  const { 'web-hook-url-file': file, 'web-hook-secret-stdin': hasSecret } = given;
  if (file === '-' && hasSecret) throw new UsageError('Standard input can contain the URL or the secret, not both.');
  if (file !== undefined && typed !== undefined) {
    throw new UsageError(`Pass ${WEB_HOOK_URL} or --web-hook-url-file, not both.`);
  }
  const url = file === undefined ? typed : await readWebHookUrlFile(file);
  if (url === undefined && !hasSecret) return undefined;
  return {
    ...(url !== undefined && { url: readWebHookUrl(url) }),
    ...(hasSecret && { secret: await readWebHookSecret() }),
  };
}

const SHOWN =
  '\nOther users of this machine could read that address while this command ran. --web-hook-url-file keeps it from them.';

/** Names the server only: the rest of an address may be what opens it. */
function toldOfWebHook(change: WebHookChange | undefined, typed: string | undefined): string {
  if (change?.url === undefined) return '';
  if (change.url === null) return ' Its activity is posted nowhere.';
  const isShown = typed !== undefined && holdsSecrets(change.url);
  return ` Its activity goes to ${new URL(change.url).origin}.${isShown ? SHOWN : ''}`;
}

const SHORTEST_SECRET = 16;
const LONGEST_SECRET = 500;

/** The address in a file, or on standard input when that is called `-`. */
async function readWebHookUrlFile(path: string): Promise<string> {
  if (path === '-') return text(process.stdin);
  return readFile(path, 'utf8').catch(() => {
    throw new UsageError(`Could not read the file ${path}. Pass another one with --web-hook-url-file.`);
  });
}

/** Whether an address holds more than where something is, such as a password. */
function holdsSecrets(url: string): boolean {
  const { username, password, search } = new URL(url);
  return username !== '' || password !== '' || search !== '';
}

/** The secret on standard input; null when there is none. */
async function readWebHookSecret(): Promise<string | null> {
  const secret = (await text(process.stdin)).replace(/\r?\n$/, '');
  if (secret === '') return null;
  if (secret.length < SHORTEST_SECRET || secret.length > LONGEST_SECRET) {
    throw new UsageError(
      `The secret on standard input must have from ${SHORTEST_SECRET} to ${LONGEST_SECRET} characters.`,
    );
  }
  return secret;
}

const MOST_STRENGTH = 10;

const iterationOptions = {
  ...projectOption,
  number: { type: 'string', isNeeded: true, value: 'N', help: 'iteration number' },
  strength: {
    type: 'string',
    default: '1',
    value: 'S',
    help: '1 is the full team, 0.5 half of it, 0 no one',
  },
  weeks: { type: 'string', value: 'W', help: 'length of the iteration', usually: "the project's setting" },
  ...storeOptions,
  ...jsonOption,
} as const;

export const projectIteration = command({
  name: 'project iteration',
  summary: 'set the length and team strength of one iteration',
  about: 'Sets the length and team strength of one iteration, or resets them.',
  options: iterationOptions,
  examples: ['--project 1 --number 12 --strength 0.5', '--project 1 --number 13 --weeks 2'],
  run: async (given) => {
    const number = readNumber(given.number ?? '', 'number', 1, 100_000);
    const teamStrength = readStrength(given.strength);
    const weeks = given.weeks === undefined ? null : readNumber(given.weeks, 'weeks', 1, 4);
    return withStore(given, (database) =>
      changedProject(database, given.project, async (tx, project) => {
        await setOverride(tx, project.id, { number, teamStrength, weeks });
        const length = weeks === null ? 'of the usual length' : `of ${weeks} ${weeks === 1 ? 'week' : 'weeks'}`;
        return {
          text: `Iteration ${number} is ${length}, with a team strength of ${teamStrength}.\n`,
          data: { project: project.id, number, teamStrength, weeks },
        };
      }),
    );
  },
});

function readStrength(text: string): number {
  const strength = Number(text);
  if (!/^\d+(?:\.\d+)?$/.test(text) || strength > MOST_STRENGTH) {
    throw new UsageError(`--strength must be a number from 0 to ${MOST_STRENGTH}, such as 0.5.`);
  }
  return strength;
}
