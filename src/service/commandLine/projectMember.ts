import { UsageError } from '../ground/errors.ts';
import type { Tx } from '../store/database.ts';
import { membershipsOfProject } from '../store/projects/memberships.ts';
import type { ProjectRow } from '../store/projects/projects.ts';
import { userNamed } from '../transfer/import/people.ts';
import { addMembership, removeMembership } from '../useCases/memberships.ts';
import { command, jsonOption, type Output } from './command.ts';
import { changedProject, projectOption } from './projectCommands.ts';
import { emailOption } from './userCommands.ts';
import { storeOptions, withStore } from './withStore.ts';

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

type Change = (tx: Tx, project: ProjectRow) => Promise<Output>;

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
    const change = remove ? removed(email) : added(email, role);
    return withStore(given, (database) => changedProject(database, given.project, change));
  },
});

function added(email: string | undefined, role: string): Change {
  return async (tx, project) => {
    const { email: known } = await userNamed(tx, email);
    const membership = await addMembership({ tx, project, now: Date.now() }, { role, person: { email: known } });
    const { person, role: given } = membership;
    const text = `${person.name} is ${given} of project ${project.id}, ${project.name}.\n`;
    return { text, data: { project: project.id, email: known, role: given } };
  };
}

function removed(email: string | undefined): Change {
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
