import { MAX_LINE } from '../../core/limits.ts';
import { withoutControls } from '../../core/visibleText.ts';
import { UsageError } from '../ground/usageError.ts';
import { mintToken } from '../store/people/tokens.ts';
import { addUser, userByEmail } from '../store/people/users.ts';
import { command, jsonOption } from './command.ts';
import { passwordOption, readPassword } from './passwordInput.ts';
import { storeOptions, withStoreMade } from './withStore.ts';

const options = {
  name: { type: 'string', isNeeded: true, value: 'NAME', help: 'the name shown on stories and comments' },
  email: { type: 'string', isNeeded: true, value: 'ADDRESS', help: 'the address the user signs in with' },
  initials: {
    type: 'string',
    value: 'LETTERS',
    help: 'shown where there is little room',
    usually: 'from the name',
  },
  ...passwordOption,
  ...storeOptions,
  ...jsonOption,
} as const;

export const userAdd = command({
  name: 'user add',
  summary: 'add a user and print an API token for them',
  about: 'Adds a user and prints an API token for them as the last line. The token is shown only now.',
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
    if (name === '') throw new UsageError('The name of the user is missing: give --name.');
    if (!isAddress(email)) throw new UsageError('Give the e-mail address of the user with --email.');
    const password = given['password-stdin'] ? await readPassword() : undefined;
    const user = { name, email, ...(given.initials && { initials: given.initials }), ...(password && { password }) };
    const added = await withStoreMade(given, ({ database }) =>
      database.write(async (tx) => {
        if (await userByEmail(tx, email)) throw new UsageError(`There is a user with the address ${email} already.`);
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
