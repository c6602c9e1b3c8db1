import { text } from 'node:stream/consumers';
import { hashPassword } from '../auth/password.ts';
import { defaultDataFolder } from '../dataFolder.ts';
import { mintToken } from '../store/tokens.ts';
import { addUser, userByEmail } from '../store/users.ts';
import { readOptions } from './options.ts';
import { UsageError } from './usageError.ts';
import { storeOptions, withStore } from './withStore.ts';

const userAddHelp = `Usage: service user add --name NAME --email ADDRESS [options]

Adds a user and prints an API token for them as the last line. The token is shown only now.

  --name NAME           the name shown on stories and comments
  --email ADDRESS       the address the user signs in with
  --initials LETTERS    shown where there is little room (default: from the name)
  --password-stdin      read a password for signing in from standard input
  --data DIR            folder of the data (default: ${defaultDataFolder()})
  --database URL        PostgreSQL database of the data, as for serve
  --help                this text
`;

const options = {
  name: { type: 'string' },
  email: { type: 'string' },
  initials: { type: 'string' },
  'password-stdin': { type: 'boolean', default: false },
  ...storeOptions,
  help: { type: 'boolean', default: false },
} as const;

export async function userAdd(args: readonly string[]): Promise<void> {
  const given = readOptions(args, options);
  if (given.help) return void process.stdout.write(userAddHelp);
  const name = given.name?.trim() ?? '';
  const email = given.email?.trim() ?? '';
  if (name === '') throw new UsageError('Say the name of the user with --name.');
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new UsageError('Say the e-mail address of the user with --email.');
  const password = given['password-stdin'] ? await readPassword() : undefined;
  const user = { name, email, ...(given.initials && { initials: given.initials }), ...(password && { password }) };
  const token = await withStore(given, (database) =>
    database.write(async (tx) => {
      if (await userByEmail(tx, email)) throw new UsageError(`There is a user with the address ${email} already.`);
      const added = await addUser(tx, user, Date.now());
      return mintToken(tx, added.id, 'user', Date.now());
    }),
  );
  process.stdout.write(`Added ${name} <${email}>. API token:\n${token}\n`);
}

async function readPassword(): Promise<string> {
  const password = (await text(process.stdin)).replace(/\r?\n$/, '');
  if (password.length < 8) throw new UsageError('The password on standard input has to have at least 8 characters.');
  return hashPassword(password);
}
