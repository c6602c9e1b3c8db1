import { userNamed } from '../transfer/userNamed.ts';
import { removeUser } from '../useCases/removeUser.ts';
import { command, jsonOption } from './command.ts';
import { emailOption } from './emailOption.ts';
import { storeOptions, withStore } from './withStore.ts';

export const userRemove = command({
  name: 'user remove',
  summary: 'remove a user, whose tokens then open nothing',
  about:
    'Removes a user: tokens and password open nothing from then on, and memberships end. Stories, comments and activities keep the name. Who is the only owner of a project stays until somebody else is one.',
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
