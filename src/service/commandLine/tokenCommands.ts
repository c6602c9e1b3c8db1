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
  summary: 'list API tokens: ID, user, purpose, created and last used',
  about: 'Lists API tokens: ID, user, purpose, time created, and hour last used. The tokens themselves are not stored.',
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
  summary: 'create another API token for a user',
  about: 'Creates another API token for a user and prints it as the last line. It is not shown again.',
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
