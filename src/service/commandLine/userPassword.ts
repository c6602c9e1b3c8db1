import { setPassword } from '../store/people/users.ts';
import { userNamed } from '../transfer/userNamed.ts';
import { command, jsonOption } from './command.ts';
import { emailOption } from './emailOption.ts';
import { readPassword } from './passwordInput.ts';
import { storeOptions, withStore } from './withStore.ts';

export const userPassword = command({
  name: 'user password',
  summary: "set a user's password, read from standard input",
  about: 'Sets the password with which a user signs in, read from standard input. Tokens stay as they are.',
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
    return { text: `${name} signs in with the new password.\n`, data: { name, email } };
  },
});
