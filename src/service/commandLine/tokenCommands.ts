import { UsageError } from '../ground/errors.ts';
import { readNumber } from '../input/optionValues.ts';
import { allTokens, mintToken, removeToken } from '../store/people/tokens.ts';
import { userNamed } from '../transfer/import/people.ts';
import { command, jsonOption, moment, table } from './command.ts';
import { emailOption } from './userCommands.ts';
import { storeOptions, withStore } from './withStore.ts';

const email = { type: 'string', value: 'ADDRESS', help: 'only tokens of this user' } as const;

export const tokenList = command({
  name: 'token list',
  summary: 'the API tokens: id, user, purpose, made and last used',
  about:
    'Lists the API tokens: id, user, what they were made for, when, and when they were last used, to the hour. The tokens themselves are not kept.',
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
        tokens.map(({ id, email, purpose, createdAt, lastUsedAt }) => [
          ...[id, email, purpose],
          ...[moment(createdAt), moment(lastUsedAt)],
        ]),
      ),
      data: tokens.map(({ id, email, purpose, createdAt, lastUsedAt }) => ({
        ...{ id, email, purpose },
        createdAt: moment(createdAt),
        lastUsedAt: lastUsedAt === null ? null : moment(lastUsedAt),
      })),
    };
  },
});

export const tokenCreate = command({
  name: 'token create',
  summary: 'make a further API token for a user',
  about: 'Makes a further API token for a user and prints it as the last line. It is shown only now.',
  options: { ...emailOption, ...storeOptions, ...jsonOption },
  examples: ['--email ada@example.org', '--email build@example.org --json'],
  run: async (given) => {
    const made = await withStore(given, (database) =>
      database.write(async (tx) => {
        const { id, name, email } = await userNamed(tx, given.email);
        return { name, email, token: await mintToken(tx, id, 'user', Date.now()) };
      }),
    );
    return {
      text: `API token of ${made.name} <${made.email}>:\n${made.token}\n`,
      data: { email: made.email, token: made.token },
    };
  },
});

export const tokenRevoke = command({
  name: 'token revoke',
  summary: 'end an API token',
  about: 'Ends an API token, at once, also in services that are running.',
  options: {
    id: { type: 'string', isNeeded: true, value: 'ID', help: 'the token, as token list numbers it' },
    ...storeOptions,
    ...jsonOption,
  },
  examples: ['--id 12'],
  run: async (given) => {
    const id = readNumber(given.id ?? '', 'id', 1, 2_147_483_647);
    const isRemoved = await withStore(given, (database) => database.write((tx) => removeToken(tx, id)));
    if (!isRemoved) throw new UsageError(`There is no token ${id}.`);
    return { text: `Token ${id} is no longer good.\n`, data: { id } };
  },
});
