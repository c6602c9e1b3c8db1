import { text } from 'node:stream/consumers';
import { MAX_LINE } from '../../core/limits.ts';
import { visibleLine, withoutControls } from '../../core/text.ts';
import { hashPassword, troubleWithPassword } from '../auth/password.ts';
import { UsageError } from '../ground/errors.ts';
import { readNumber } from '../input/optionValues.ts';
import { dropInvitationsOf } from '../store/people/invitations.ts';
import { allTokens, LONGEST_TOKEN_NAME, mintToken, removeToken } from '../store/people/tokens.ts';
import {
  addUser,
  allUsers,
  isAddress,
  mailPreferences,
  setAssignedMail,
  setPassword,
  userByEmail,
} from '../store/people/users.ts';
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
    refuseWrongName(name);
    if (name === '') throw new UsageError('Missing --name.');
    if (!isAddress(email)) throw new UsageError('Missing --email.');
    const password = given['password-stdin'] ? await hashedPassword(await readPassword(), { name, email }) : undefined;
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

/** Throws `UsageError` for a name that is more than one line, or hides or turns text. */
export function refuseWrongName(name: string): void {
  if (name.length > MAX_LINE || /[\t\r\n]/.test(name) || name !== withoutControls(name)) {
    throw new UsageError(`--name must be one line of at most ${MAX_LINE} characters.`);
  }
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
    const { name, email } = await withStore(given, async (database) => {
      const hashed = await hashedPassword(password, await database.read((tx) => userNamed(tx, given.email)));
      return database.write(async (tx) => {
        const user = await userNamed(tx, given.email);
        await setPassword(tx, user.id, hashed, Date.now());
        await dropInvitationsOf(tx, user.id);
        return user;
      });
    });
    return { text: `Changed the password of ${name}.\n`, data: { name, email } };
  },
});

async function readPassword(): Promise<string> {
  return (await text(process.stdin)).replace(/\r?\n$/, '');
}

/** As the store keeps it. Throws `UsageError` for one that the pages of the service would not take either. */
async function hashedPassword(
  password: string,
  owner: { readonly name: string; readonly email: string },
): Promise<string> {
  const trouble = troubleWithPassword(password, owner);
  if (trouble !== undefined) throw new UsageError(trouble);
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

const email = { type: 'string', value: 'ADDRESS', help: 'only tokens of this user' } as const;

export const tokenList = command({
  name: 'token list',
  summary: 'list API tokens: ID, user, purpose, created, last used, scope and name',
  about:
    'Lists API tokens: ID, user, purpose, time created, hour last used, what they allow (read or write), and name. The tokens themselves are not stored.',
  options: { email, ...storeOptions, ...jsonOption },
  examples: ['', '--email ada@example.org --json'],
  run: async (given) => {
    const tokens = await withStore(given, (database) =>
      database.read(async (tx) => {
        const user = given.email === undefined ? undefined : await userNamed(tx, given.email);
        const all = await allTokens(tx);
        return all.filter(({ userId }) => user === undefined || userId === user.id);
      }),
    );
    return {
      text: table(
        tokens.map(({ id, email, purpose, createdAt, lastUsedAt, scope, name }) => [
          ...[id, email, purpose],
          ...[moment(createdAt), moment(lastUsedAt), scope, name ?? '-'],
        ]),
      ),
      data: tokens.map(({ id, email, purpose, createdAt, lastUsedAt, scope, name }) => ({
        ...{ id, email, purpose, scope, name },
        createdAt: moment(createdAt),
        lastUsedAt: lastUsedAt === null ? null : moment(lastUsedAt),
      })),
    };
  },
});

const newTokenOptions = {
  name: { type: 'string', value: 'NAME', help: 'what the token is for, to tell it from others' },
  'read-only': {
    type: 'boolean',
    default: false,
    help: 'let the token read what the user may read, and change nothing',
  },
} as const;

/** Throws `UsageError` for a name that the list of tokens cannot show. */
function tokenName(given: string | undefined): string | null {
  const name = given?.trim() ?? '';
  if (name.length > LONGEST_TOKEN_NAME || name !== visibleLine(name, LONGEST_TOKEN_NAME))
    throw new UsageError(`--name must be one line of at most ${LONGEST_TOKEN_NAME} characters.`);
  return name === '' ? null : name;
}

export const tokenCreate = command({
  name: 'token create',
  summary: 'create another API token for a user',
  about: 'Creates another API token for a user and prints it as the last line. It is not shown again.',
  options: { ...emailOption, ...newTokenOptions, ...storeOptions, ...jsonOption },
  examples: ['--email ada@example.org', '--email ada@example.org --name "Code agent" --read-only'],
  run: async (given) => {
    const wishes = { name: tokenName(given.name), scope: given['read-only'] ? 'read' : 'write' } as const;
    const made = await withStore(given, (database) =>
      database.write(async (tx) => {
        const { id, name, email } = await userNamed(tx, given.email);
        return { name, email, token: await mintToken(tx, id, 'user', Date.now(), wishes) };
      }),
    );
    return {
      text: `API token of ${made.name} <${made.email}>:\n${made.token}\n`,
      data: { email: made.email, token: made.token, ...wishes },
    };
  },
});

export const tokenRevoke = command({
  name: 'token revoke',
  summary: 'revoke an API token',
  about: 'Revokes an API token. Running services stop accepting it immediately.',
  options: {
    id: { type: 'string', isNeeded: true, value: 'ID', help: 'token ID from token list' },
    ...storeOptions,
    ...jsonOption,
  },
  examples: ['--id 12'],
  run: async (given) => {
    const id = readNumber(given.id ?? '', 'id', 1, 2_147_483_647);
    const isRemoved = await withStore(given, (database) => database.write((tx) => removeToken(tx, id)));
    if (!isRemoved) throw new UsageError(`No token has the ID ${id}.`);
    return { text: `Revoked token ${id}.\n`, data: { id } };
  },
});
