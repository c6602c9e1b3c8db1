import { invitationPath, makeInvitation } from '../auth/invitations.ts';
import { UsageError } from '../ground/errors.ts';
import { readNumber } from '../input/optionValues.ts';
import type { Tx } from '../store/database.ts';
import { SERVED_AT } from '../store/databaseState.ts';
import { addUser, isAddress, normalEmail, type UserRow, userByEmail } from '../store/people/users.ts';
import { lockProject } from '../store/projects/projects.ts';
import { secretOf } from '../store/secrets.ts';
import { addMembership } from '../useCases/memberships.ts';
import { command, jsonOption, moment } from './command.ts';
import { readPublicUrl } from './reachOptions.ts';
import { refuseWrongName } from './userCommands.ts';
import { storeOptions, withStore } from './withStore.ts';

const options = {
  email: { type: 'string', isNeeded: true, value: 'ADDRESS', help: 'the address the person signs in with' },
  project: { type: 'string', value: 'ID', help: 'add them to this project' },
  role: {
    type: 'string',
    value: 'Owner|Member|Viewer',
    help: 'role in the project',
    usually: 'Member, or their current role',
  },
  name: { type: 'string', value: 'NAME', help: 'name of a new user', usually: 'their address' },
  'public-url': { type: 'string', value: 'URL', help: 'address of the service', usually: 'where it was last served' },
  ...storeOptions,
  ...jsonOption,
} as const;

/** Also for who has forgotten a password. */
export const invite = command({
  name: 'invite',
  summary: 'print an address at which someone sets their password',
  about:
    'Prints an address at which a person sets their password, as the last line. It works once, within a day, and replaces the one before. Someone who is not a user yet becomes one. Use it also for a user who has forgotten their password.',
  options,
  examples: ['--email ada@example.org', '--email grace@example.org --project 1 --role Owner'],
  run: async (given) => {
    const email = given.email?.trim() ?? '';
    if (!isAddress(email)) throw new UsageError('Missing --email.');
    const { project, role = '' } = given;
    if (project === undefined && role !== '') throw new UsageError('--role requires --project.');
    const projectId = project === undefined ? null : readNumber(project, 'project', 1, 2_147_483_647);
    const publicUrl = given['public-url'] === undefined ? undefined : readPublicUrl(given['public-url']);
    refuseWrongName(given.name ?? '');
    const person = { email, ...(given.name?.trim() && { name: given.name.trim() }) };
    const made = await withStore(given, (database) =>
      database.write(async (tx) => {
        const base = publicUrl ?? (await secretOf(tx, SERVED_AT));
        if (base === undefined)
          throw new UsageError('The service has not been started yet. Pass its address with --public-url.');
        const user = await invitedUser(tx, projectId, { role, person });
        const wanted = { userId: user.id, projectId, invitedBy: null, handedToId: null };
        const { token, expiresAt } = await makeInvitation(tx, wanted, Date.now());
        return { user, url: base + invitationPath(token), expiresAt };
      }),
    );
    const { user, url } = made;
    const until = moment(made.expiresAt);
    return {
      text: `${user.name} <${user.email}> can set a password until ${until} at\n${url}\n`,
      data: { email: user.email, project: projectId, url, expiresAt: until },
    };
  },
});

async function invitedUser(
  tx: Tx,
  projectId: number | null,
  wanted: { readonly role: string; readonly person: { readonly email: string; readonly name?: string } },
): Promise<UserRow> {
  const { email, name = normalEmail(email) } = wanted.person;
  if (projectId !== null) {
    const project = await lockProject(tx, projectId);
    if (!project) throw new UsageError(`No project has the ID ${projectId}.`);
    await addMembership({ tx, project, now: Date.now() }, wanted);
  }
  return (await userByEmail(tx, email)) ?? addUser(tx, { name, email }, Date.now());
}
