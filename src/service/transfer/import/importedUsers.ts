import { normalized } from '../../../core/folded.ts';
import { withoutEnds } from '../../../core/trimmed.ts';
import type { Tx } from '../../store/database.ts';
import { roleIn } from '../../store/projects/memberships.ts';
import { userByEmail } from '../../store/people/users.ts';

/** Of addresses of users whom imports made. */
const NOWHERE = '@imported.invalid';

/** The user whom an import made for a person of this name before. Others of the name may be somebody else, who must not get to see the project. */
export async function importedUser(tx: Tx, name: string): Promise<number | undefined> {
  return (await usersCalled(tx, name)).find(({ email }) => email.endsWith(NOWHERE))?.id;
}

/** The same, if they are a member. */
export async function importedMember(tx: Tx, projectId: number, name: string): Promise<number | undefined> {
  const id = await importedUser(tx, name);
  return id !== undefined && (await roleIn(tx, projectId, id)) !== undefined ? id : undefined;
}

/** Addresses of users of a name whom no import made. */
export async function namesakes(tx: Tx, name: string): Promise<readonly string[]> {
  return (await usersCalled(tx, name)).map(({ email }) => email).filter((email) => !email.endsWith(NOWHERE));
}

function usersCalled(tx: Tx, name: string): Promise<readonly { readonly id: number; readonly email: string }[]> {
  return tx.selectFrom('users').select(['id', 'email']).where('name', '=', name).orderBy('id').execute();
}

/** An address at which nobody can be reached and nobody signs in, since it has no password and mail to `.invalid` goes nowhere. */
export async function freeAddress(tx: Tx, name: string): Promise<string> {
  const words = normalized(name.toLowerCase(), 'NFKD').replace(/[^a-z0-9]+/g, '.');
  const local = withoutEnds(words, '.') || 'person';
  for (let number = 1; ; number += 1) {
    const email = `${local}${number === 1 ? '' : `.${number}`}${NOWHERE}`;
    if (!(await userByEmail(tx, email))) return email;
  }
}
