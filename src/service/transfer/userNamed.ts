import { UsageError } from '../ground/usageError.ts';
import type { Tx } from '../store/database.ts';
import { type UserRow, userByEmail } from '../store/people/users.ts';

/** The user with this address; throws `UsageError` when there is none. */
export async function userNamed(tx: Tx, email: string | undefined): Promise<UserRow> {
  if (email === undefined || email.trim() === '')
    throw new UsageError('Give the e-mail address of the user with --email.');
  const user = await userByEmail(tx, email);
  if (!user) throw new UsageError(`There is no user with the address ${email}.`);
  return user;
}
