import { ticketPrefix } from '../../v3/assumptions.ts';
import { UsageError } from '../ground/errors.ts';
import { readNumber } from '../input/optionValues.ts';
import type { Tx } from '../store/database.ts';
import { addIntegration, switchIntegration } from '../store/projects/integrations.ts';
import type { ProjectRow } from '../store/projects/projects.ts';
import { command, jsonOption, type Output } from './command.ts';
import { changedProject, projectOption } from './projectCommands.ts';
import { storeOptions, withStore } from './withStore.ts';

const integrationOptions = {
  ...projectOption,
  type: { type: 'string', value: 'TYPE', help: 'type of a new integration, such as JIRA', usually: 'Other' },
  name: { type: 'string', value: 'NAME', help: 'name of a new integration' },
  field: {
    type: 'string',
    value: 'ELEMENT',
    help: 'XML element of its ticket IDs, such as jira_id',
    usually: 'other_id',
  },
  label: { type: 'string', value: 'TEXT', help: 'what to call a ticket', usually: 'its name' },
  url: { type: 'string', value: 'URL', help: "start of a ticket's URL, before its ID" },
  id: { type: 'string', value: 'ID', help: 'existing integration to turn on or off' },
  active: { type: 'string', value: 'true|false', help: 'whether to use it' },
  ...storeOptions,
  ...jsonOption,
} as const;

type Change = (tx: Tx, project: ProjectRow) => Promise<Output>;

export const projectIntegration = command({
  name: 'project integration',
  summary: 'add an integration to a project, or turn one on or off',
  about: 'Adds an integration with an external issue tracker to a project, or turns one on or off.',
  options: integrationOptions,
  examples: [
    '--project 1 --type JIRA --name Issues --field jira_id --url https://jira.example.org/browse/',
    '--project 1 --id 3 --active false',
  ],
  run: async (given) => {
    const change = given.id === undefined ? added(given) : switched(given.id, given.active);
    return withStore(given, (database) => changedProject(database, given.project, change));
  },
});

type Given = Readonly<Partial<Record<'type' | 'name' | 'field' | 'label' | 'url', string | undefined>>>;

function added({ type = 'Other', name = '', field = 'other_id', label, url }: Given): Change {
  if (name.trim() === '') throw new UsageError('Missing --name.');
  if (!/^[a-z][a-z0-9_]*$/.test(field) || ticketPrefix(field) === undefined) {
    throw new UsageError('--field must be the element of a ticket, such as jira_id.');
  }
  if (url !== undefined && !/^https?:\/\/./.test(url)) throw new UsageError('--url must start with http or https.');
  return async (tx, { id: projectId }) => {
    const row = {
      projectId,
      type,
      name,
      fieldName: field,
      fieldLabel: label ?? name,
      ticketUrl: url ?? null,
      active: 1,
    };
    const id = await addIntegration(tx, row);
    return { text: `Added integration ${id}, ${name}.\n`, data: { project: projectId, id, name, active: true } };
  };
}

function switched(given: string, active: string | undefined): Change {
  const id = readNumber(given, 'id', 1, 2_147_483_647);
  if (active !== 'true' && active !== 'false') throw new UsageError('Pass --active true or --active false.');
  return async (tx, project) => {
    const isThere = await switchIntegration(tx, project.id, id, active === 'true');
    if (!isThere) throw new UsageError(`Project ${project.id} has no integration ${id}.`);
    const isActive = active === 'true';
    const text = `Integration ${id} is ${isActive ? 'active' : 'not active'}.\n`;
    return { text, data: { project: project.id, id, active: isActive } };
  };
}
