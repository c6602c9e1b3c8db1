import { text } from 'node:stream/consumers';
import { MAX_LINE, MAX_LOGIN } from '../../core/limits.ts';
import { withoutControls } from '../../core/shownText.ts';
import { hashPassword } from '../auth/password.ts';
import { UsageError } from '../ground/errors.ts';
import { readNumber } from '../input/optionValues.ts';
import { mailPreferences, setAssignedMail } from '../store/people/mailPreferences.ts';
import { mintToken } from '../store/people/tokens.ts';
import { addUser, allUsers, setPassword, userByEmail } from '../store/people/users.ts';
import { userNamed } from '../transfer/import/people.ts';
import { removeUser } from '../useCases/memberships.ts';
import { command, jsonOption, moment, table } from './command.ts';
import { storeOptions, withStore, withStoreMade } from './withStore.ts';

const passwordOption = {
  'password-stdin': {
    type: 'boolean',
    default: false,
    help: 'read a password for signing in from standard input',
  },
} as const;

const options = {
  name: { type: 'string', isNeeded: true, value: 'NAME', help: 'the name shown on stories and comments' },
  email: { type: 'string', isNeeded: true, value: 'ADDRESS', help: 'the address the user signs in with' },
  initials: {
    type: 'string',
    value: 'LETTERS',
    help: 'shown where space is limited',
    usually: 'from the name',
  },
  ...passwordOption,
  ...storeOptions,
  ...jsonOption,
} as const;

export const userAdd = command({
  name: 'user add',
  summary: 'add a user and print an API token for them',
  about: 'Adds a user and prints an API token for them as the last line. The token is not shown again.',
  options,
  examples: [
    '--name "Ada Lovelace" --email ada@example.org',
    '--name Ada --email ada@example.org --password-stdin < password.txt',
  ],
  run: async (given) => {
    const name = given.name?.trim() ?? '';
    const email = given.email?.trim() ?? '';
    if (name.length > MAX_LINE || /[\t\r\n]/.test(name) || name !== withoutControls(name)) {
      throw new UsageError(`--name must be one line of at most ${MAX_LINE} characters.`);
    }
    if (name === '') throw new UsageError('Missing --name.');
    if (!isAddress(email)) throw new UsageError('Missing --email.');
    const password = given['password-stdin'] ? await readPassword() : undefined;
    const user = { name, email, ...(given.initials && { initials: given.initials }), ...(password && { password }) };
    const added = await withStoreMade(given, ({ database }) =>
      database.write(async (tx) => {
        if (await userByEmail(tx, email)) throw new UsageError(`A user with the address ${email} already exists.`);
        const { id } = await addUser(tx, user, Date.now());
        return { id, token: await mintToken(tx, id, 'user', Date.now()) };
      }),
    );
    return {
      text: `Added ${name} <${email}>. API token:\n${added.token}\n`,
      data: { id: added.id, name, email: email.toLowerCase(), token: added.token },
    };
  },
});

function isAddress(email: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(email) && email.length <= MAX_LINE && email === withoutControls(email);
}

export const userList = command({
  name: 'user list',
  summary: 'list users: ID, name and address, one per line',
  about: 'Lists users: ID, name, address, and whether they can sign in with a password.',
  options: { ...storeOptions, ...jsonOption },
  examples: ['', '--json'],
  run: async (given) => {
    const users = await withStore(given, (database) => database.read(allUsers));
    return {
      text: table(
        users.map(({ id, name, email, password }) => [id, name, email, password === null ? '-' : 'password']),
      ),
      data: users.map(({ id, name, email, initials, password, createdAt }) => ({
        id,
        name,
        email,
        initials,
        hasPassword: password !== null,
        createdAt: moment(createdAt),
      })),
    };
  },
});

/** Names the user of a command. */
export const emailOption = {
  email: { type: 'string', isNeeded: true, value: 'ADDRESS', help: 'the address of the user' },
} as const;

export const userRemove = command({
  name: 'user remove',
  summary: 'remove a user and revoke their tokens',
  about:
    'Removes a user. Their tokens and password stop working, and their memberships end. Stories, comments and activities keep the name. You cannot remove the only owner of a project until someone else is an owner.',
  options: { ...emailOption, ...storeOptions, ...jsonOption },
  examples: ['--email ada@example.org'],
  run: async (given) => {
    const { id, name, email } = await withStore(given, (database) =>
      database.write(async (tx) => {
        const user = await userNamed(tx, given.email);
        await removeUser(tx, user);
        return user;
      }),
    );
    return { text: `Removed ${name} <${email}>.\n`, data: { id, email } };
  },
});

export const userPassword = command({
  name: 'user password',
  summary: "set a user's password, read from standard input",
  about: 'Sets the password of a user, read from standard input. Their tokens stay valid.',
  options: { ...emailOption, ...storeOptions, ...jsonOption },
  examples: ['--email ada@example.org < password.txt'],
  run: async (given) => {
    const password = await readPassword();
    const { name, email } = await withStore(given, (database) =>
      database.write(async (tx) => {
        const user = await userNamed(tx, given.email);
        await setPassword(tx, user.id, password);
        return user;
      }),
    );
    return { text: `Changed the password of ${name}.\n`, data: { name, email } };
  },
});

/** The password on standard input, as the store keeps it. */
async function readPassword(): Promise<string> {
  const password = (await text(process.stdin)).replace(/\r?\n$/, '');
  if (password.length < 8) throw new UsageError('The password on standard input must have at least 8 characters.');
  if (password.length > MAX_LOGIN) {
    throw new UsageError(
      `The password on standard input must have at most ${MAX_LOGIN.toLocaleString('en')} characters.`,
    );
  }
  return hashPassword(password);
}

const mailPreferenceOptions = {
  ...emailOption,
  assigned: {
    type: 'string',
    isNeeded: true,
    value: 'on|off',
    help: 'whether they get emails about stories assigned to them',
  },
  project: { type: 'string', value: 'ID', help: 'only for this project', usually: 'for all' },
  ...storeOptions,
  ...jsonOption,
} as const;

export const userMail = command({
  name: 'user mail',
  summary: 'choose which emails a user gets',
  about:
    'Sets whether a user gets emails about stories that others assign to them. Users can change it themselves with the link in each email. An email is sent if it is on for all projects and for the project.',
  options: mailPreferenceOptions,
  examples: ['--email ada@example.org --assigned off', '--email ada@example.org --assigned on --project 1'],
  run: async (given) => {
    const isWanted = readSwitch(given.assigned);
    const projectId = given.project === undefined ? undefined : readNumber(given.project, 'project', 1, 2_147_483_647);
    const { name, email } = await withStore(given, (database) =>
      database.write(async (tx) => {
        const user = await userNamed(tx, given.email);
        if (projectId !== undefined && !(await mailPreferences(tx, projectId, user.id))) {
          throw new UsageError(`${user.name} is not a member of a project ${projectId}.`);
        }
        await setAssignedMail(tx, user.id, projectId, isWanted);
        return user;
      }),
    );
    const where = projectId === undefined ? '' : ` of project ${projectId}`;
    return {
      text: `${name} gets ${isWanted ? 'emails' : 'no emails'} about assigned stories${where}.\n`,
      data: { name, email, project: projectId ?? null, assigned: isWanted },
    };
  },
});

function readSwitch(text: string | undefined): boolean {
  if (text !== 'on' && text !== 'off') throw new UsageError('Pass --assigned on or --assigned off.');
  return text === 'on';
}
