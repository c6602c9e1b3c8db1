import { allUsers } from '../store/people/users.ts';
import { command, jsonOption } from './command.ts';
import { moment, table } from './table.ts';
import { storeOptions, withStore } from './withStore.ts';

export const userList = command({
  name: 'user list',
  summary: 'the users: id, name and address, one a line',
  about: 'Lists the users: id, name, address, and whether they can sign in with a password.',
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
