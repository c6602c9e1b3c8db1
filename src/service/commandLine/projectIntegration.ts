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
  type: { type: 'string', value: 'TYPE', help: 'of a new one, such as JIRA', usually: 'Other' },
  name: { type: 'string', value: 'NAME', help: 'of a new one' },
  field: {
    type: 'string',
    value: 'ELEMENT',
    help: 'of a new one: the element of its ticket ids, such as jira_id',
    usually: 'other_id',
  },
  label: { type: 'string', value: 'TEXT', help: 'of a new one: what a ticket is called', usually: 'its name' },
  url: { type: 'string', value: 'URL', help: "of a new one: what comes before the id in a ticket's address" },
  id: { type: 'string', value: 'ID', help: 'one that is there, to be switched on or off' },
  active: { type: 'string', value: 'true|false', help: 'whether it is used' },
  ...storeOptions,
  ...jsonOption,
} as const;

type Change = (tx: Tx, project: ProjectRow) => Promise<Output>;

export const projectIntegration = command({
  name: 'project integration',
  summary: 'add an integration to a project, or switch one on or off',
  about: 'Adds an integration with an external issue system to a project, or switches one on or off.',
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
  if (name.trim() === '') throw new UsageError('The name of the integration is missing: give --name.');
  if (!/^[a-z][a-z0-9_]*$/.test(field) || ticketPrefix(field) === undefined) {
    throw new UsageError('--field must be the element of a ticket, such as jira_id.');
  }
  if (url !== undefined && !/^https?:\/\/./.test(url)) throw new UsageError('--url must begin with http or https.');
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
  if (active !== 'true' && active !== 'false') throw new UsageError('Give --active true or --active false.');
  return async (tx, project) => {
    const isThere = await switchIntegration(tx, project.id, id, active === 'true');
    if (!isThere) throw new UsageError(`Project ${project.id} has no integration ${id}.`);
    const isActive = active === 'true';
    const text = `Integration ${id} is ${isActive ? 'active' : 'not active'}.\n`;
    return { text, data: { project: project.id, id, active: isActive } };
  };
}
