import { ticketPrefix } from '../../v3/assumptions.ts';
import { openAttachmentFiles } from '../attachments/openAttachmentFiles.ts';
import { UsageError } from '../ground/errors.ts';
import { readNumber } from '../input/optionValues.ts';
import type { Database, Tx } from '../store/database.ts';
import { membershipsOfProject } from '../store/projects/memberships.ts';
import { addIntegration, switchIntegration } from '../store/projects/projectParts.ts';
import {
  allProjects,
  isRuleName,
  lockProject,
  type ProjectRow,
  RULES,
  ruleValue,
  setRule,
} from '../store/projects/projects.ts';
import { userNamed } from '../transfer/import/people.ts';
import { addMembership, removeMembership } from '../useCases/memberships.ts';
import { removeProject } from '../useCases/projects.ts';
import { command, jsonOption, type Output, table } from './command.ts';
import { emailOption } from './userCommands.ts';
import { dataOptions, storeOptions, withOpenStore, withStore } from './withStore.ts';

/** Names the project of a command. */
export const projectOption = {
  project: { type: 'string', isNeeded: true, value: 'ID', help: 'project ID from project list' },
} as const;

const removeOptions = {
  ...projectOption,
  name: { type: 'string', isNeeded: true, value: 'NAME', help: 'project name, to confirm which one you mean' },
  ...dataOptions,
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
  options: removeOptions,
  examples: ['--project 1 --name Apollo'],
  run: async (given) =>
    withOpenStore(given, async (data) => {
      const removed = await changedProject(data.database, given.project, async (tx, project) => {
        if (project.name !== given.name) {
          throw new UsageError(
            `Project ${project.id} is named ${project.name}. To remove it, pass that name with --name.`,
          );
        }
        return { ...project, files: await removeProject(tx, project) };
      });
      const attachments = await openAttachmentFiles(data);
      await attachments.discard(removed.files);
      const { id, name } = removed;
      return { text: `Removed project ${id}, ${name}.\n`, data: { id, name } };
    }),
});

/** What a command does to the project it names. */
type ProjectChange = (tx: Tx, project: ProjectRow) => Promise<Output>;

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

const memberOptions = {
  ...projectOption,
  ...emailOption,
  role: {
    type: 'string',
    value: 'Owner|Member|Viewer',
    help: 'role in the project',
    usually: 'Member, or their current role',
  },
  remove: { type: 'boolean', default: false, help: 'remove them from the project' },
  ...storeOptions,
  ...jsonOption,
} as const;

/** Also for projects that were made without an owner, whom nobody else can give one (api-v3.md, Endpoints, rule 3). */
export const projectMember = command({
  name: 'project member',
  summary: 'add a user to a project, change their role, or remove them',
  about:
    'Adds a user to a project, changes the role of a member, or removes one. Use it to give a project without an owner its first one.',
  options: memberOptions,
  examples: ['--project 1 --email ada@example.org --role Owner', '--project 1 --email grace@example.org --remove'],
  run: async (given) => {
    const { email, role = '', remove } = given;
    if (remove && role !== '') throw new UsageError('Pass either --role or --remove.');
    const change = remove ? removedMember(email) : addedMember(email, role);
    return withStore(given, (database) => changedProject(database, given.project, change));
  },
});

function addedMember(email: string | undefined, role: string): ProjectChange {
  return async (tx, project) => {
    const { email: known } = await userNamed(tx, email);
    const membership = await addMembership({ tx, project, now: Date.now() }, { role, person: { email: known } });
    const { person, role: given } = membership;
    const text = `${person.name} is ${given} of project ${project.id}, ${project.name}.\n`;
    return { text, data: { project: project.id, email: known, role: given } };
  };
}

function removedMember(email: string | undefined): ProjectChange {
  return async (tx, project) => {
    const user = await userNamed(tx, email);
    const members = await membershipsOfProject(tx, project.id);
    const membership = members.find(({ person }) => person.email === user.email);
    if (!membership) throw new UsageError(`${user.name} is not a member of project ${project.id}.`);
    await removeMembership({ tx, project }, membership.id);
    const text = `${user.name} is no longer a member of project ${project.id}, ${project.name}.\n`;
    return { text, data: { project: project.id, email: user.email, role: null } };
  };
}

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
    const change = given.id === undefined ? addedIntegration(given) : switchedIntegration(given.id, given.active);
    return withStore(given, (database) => changedProject(database, given.project, change));
  },
});

type Given = Readonly<Partial<Record<'type' | 'name' | 'field' | 'label' | 'url', string | undefined>>>;

function addedIntegration({ type = 'Other', name = '', field = 'other_id', label, url }: Given): ProjectChange {
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

function switchedIntegration(given: string, active: string | undefined): ProjectChange {
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

export const ruleList = command({
  name: 'rule list',
  summary: 'list the rules of the service: name, value and allowed values, one per line',
  about: 'Lists the rules of the whole service: name, value, and allowed values, the default first.',
  options: { ...storeOptions, ...jsonOption },
  examples: ['', '--json'],
  run: async (given) => {
    const value = await withStore(given, (database) => database.read((tx) => ruleValue(tx, 'adding-people')));
    const rules = [{ name: 'adding-people', value, values: RULES['adding-people'] }];
    return { text: table(rules.map(({ name, value, values }) => [name, value, values.join('|')])), data: rules };
  },
});

export const ruleSet = command({
  name: 'rule set',
  summary: 'set a rule of the service, such as who may be added to projects',
  about:
    'Sets a rule for the whole service. Running services apply it immediately. adding-people controls whom project owners can add as members: anyone (also new addresses, which are invited and become users), users (existing users of this service) or administrators (no one; only the command project member adds people).',
  options: { ...storeOptions, ...jsonOption },
  operands: ['NAME', 'VALUE'],
  examples: ['adding-people users', 'adding-people administrators'],
  run: async (given, [name = '', text = '']) => {
    if (!isRuleName(name))
      throw new UsageError(`Unknown rule ${name}. The rules are ${Object.keys(RULES).join(', ')}.`);
    const values: readonly (typeof RULES)[typeof name][number][] = RULES[name];
    const value = values.find((one) => one === text);
    if (value === undefined) throw new UsageError(`${name} must be one of ${values.join(', ')}.`);
    await withStore(given, (database) => database.write((tx) => setRule(tx, name, value)));
    return { text: `${name} is now ${value}.\n`, data: { name, value } };
  },
});
