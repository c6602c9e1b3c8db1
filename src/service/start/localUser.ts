import { userInfo } from 'node:os';
import type { Tx } from '../store/database.ts';
import { addUser, type UserRow, userByEmail } from '../store/people/users.ts';

const EMAIL = 'you@localhost';

/** The person at this machine, who has no account elsewhere. Made at the first start. */
export async function localUser(tx: Tx, now: number): Promise<UserRow> {
  return (await userByEmail(tx, EMAIL)) ?? addUser(tx, { name: systemName(), email: EMAIL }, now);
}

function systemName(): string {
  try {
    return userInfo().username || 'You';
  } catch {
    // Containers may run as a user without a name.
    return 'You';
  }
}
