import { mintToken } from '../store/people/tokens.ts';
import { userNamed } from '../transfer/userNamed.ts';
import { command, jsonOption } from './command.ts';
import { emailOption } from './emailOption.ts';
import { storeOptions, withStore } from './withStore.ts';

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
