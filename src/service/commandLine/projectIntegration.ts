import { ticketPrefix } from '../../v3/assumptions.ts';
import type { Tx } from '../store/database.ts';
import { addIntegration, switchIntegration } from '../store/integrations.ts';
import type { ProjectRow } from '../store/projects.ts';
import { changedProject } from './changedProject.ts';
import { readNumber, readOptions } from './options.ts';
import { UsageError } from './usageError.ts';
import { storeOptions, withStore } from './withStore.ts';

const text = { type: 'string' } as const;
const options = {
  ...{ project: text, type: text, name: text, field: text, label: text, url: text, id: text, active: text },
  ...storeOptions,
} as const;

type Change = (tx: Tx, project: ProjectRow) => Promise<string>;

/** Adds an integration, or switches one on or off. */
export async function projectIntegration(args: readonly string[]): Promise<string> {
  const given = readOptions(args, options);
  const change = given.id === undefined ? added(given) : switched(given.id, given.active);
  return withStore(given, (database) => changedProject(database, given.project, change));
}

type Given = Readonly<Partial<Record<'type' | 'name' | 'field' | 'label' | 'url', string>>>;

function added({ type = 'Other', name = '', field = 'other_id', label, url }: Given): Change {
  if (name.trim() === '') throw new UsageError('Say the name of the integration with --name.');
  if (!/^[a-z][a-z0-9_]*$/.test(field) || ticketPrefix(field) === undefined) {
    throw new UsageError('--field has to be the element of a ticket, such as jira_id.');
  }
  if (url !== undefined && !/^https?:\/\/./.test(url)) throw new UsageError('--url has to begin with http or https.');
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
    return `Added integration ${await addIntegration(tx, row)}, ${name}.\n`;
  };
}

function switched(given: string, active: string | undefined): Change {
  const id = readNumber(given, 'id', 1, 2_147_483_647);
  if (active !== 'true' && active !== 'false') throw new UsageError('Say --active true or --active false.');
  return async (tx, project) => {
    const isThere = await switchIntegration(tx, project.id, id, active === 'true');
    if (!isThere) throw new UsageError(`Project ${project.id} has no integration ${id}.`);
    return `Integration ${id} is ${active === 'true' ? 'active' : 'not active'}.\n`;
  };
}
