import { allTokens } from '../store/people/tokens.ts';
import { userNamed } from '../transfer/userNamed.ts';
import { command, jsonOption } from './command.ts';
import { moment, table } from './table.ts';
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
