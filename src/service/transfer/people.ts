import type { Membership } from '../../core/project.ts';
import type { Tx } from '../store/database.ts';
import { addMember, isRole } from '../store/memberships.ts';
import { addUser, userByEmail } from '../store/users.ts';
import { UNKNOWN_AUTHOR } from './csvComment.ts';

/** A person whom a file names. */
export interface NamedPerson {
  readonly name: string;
  /** How often the file names them. */
  readonly times: number;
  /** `member`: of the project already. `joined`: a user who became a member. `added`: made. `text`: the name is kept, nobody is meant. */
  readonly is: 'member' | 'joined' | 'added' | 'text';
}

export interface PeopleNeeds {
  readonly tx: Tx;
  readonly projectId: number;
  readonly now: number;
  /** Whether users are made for those who are none. */
  readonly mayAdd: boolean;
}

interface Known {
  readonly id: number | null;
  times: number;
  readonly is: NamedPerson['is'];
}

/** Those who made, own or wrote something in a file, as members of the project. */
export class People {
  private readonly needs: PeopleNeeds;
  private readonly known = new Map<string, Known>();

  constructor(needs: PeopleNeeds) {
    this.needs = needs;
  }

  /** The named ones, in the order in which the file named them. */
  get named(): readonly NamedPerson[] {
    return [...this.known].flatMap(([name, { times, is }]) => (times > 0 ? [{ name, times, is }] : []));
  }

  /** Makes members of those whom the file says to be members, as far as they are users or may become such. */
  async join(memberships: readonly Membership[]): Promise<void> {
    const { tx, projectId, now, mayAdd } = this.needs;
    for (const { person, role } of memberships) {
      const { email, name } = person;
      const user = email === undefined ? undefined : await userByEmail(tx, email);
      if (email === undefined || (!user && !mayAdd)) continue;
      const { id } = user ?? (await addUser(tx, { ...person, name, email }, now));
      if (!(await isMember(this.needs, id))) await addMember(tx, projectId, id, isRole(role) ? role : 'Member');
      this.known.set(name, { id, times: 0, is: user ? 'joined' : 'added' });
    }
  }

  /** The member of this name, or null when only the name is kept. */
  async idOf(name: string | null | undefined): Promise<number | null> {
    if (name === null || name === undefined || name === '') return null;
    let known = this.known.get(name);
    if (!known) {
      known = { ...(await this.find(name)), times: 0 };
      this.known.set(name, known);
    }
    known.times += 1;
    return known.id;
  }

  private async find(name: string): Promise<Omit<Known, 'times'>> {
    const { tx, projectId, now, mayAdd } = this.needs;
    const member = await memberNamed(this.needs, name);
    if (member !== undefined) return { id: member, is: 'member' };
    if (!mayAdd || name === UNKNOWN_AUTHOR) return { id: null, is: 'text' };
    const before = await importedUser(tx, name);
    const id = before ?? (await addUser(tx, { name, email: await freeAddress(tx, name) }, now)).id;
    await addMember(tx, projectId, id, 'Member');
    return { id, is: before === undefined ? 'added' : 'joined' };
  }
}

/** The user whom an import made for a person of this name before. Others of the name may be somebody else, who must not get to see the project. */
async function importedUser(tx: Tx, name: string): Promise<number | undefined> {
  const users = await tx.selectFrom('users').select(['id', 'email']).where('name', '=', name).orderBy('id').execute();
  return users.find(({ email }) => email.endsWith(NOWHERE))?.id;
}

async function memberNamed({ tx, projectId }: PeopleNeeds, name: string): Promise<number | undefined> {
  const members = tx
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.userId')
    .select('users.id')
    .where('memberships.projectId', '=', projectId);
  return (await members.where('users.name', '=', name).orderBy('users.id').executeTakeFirst())?.id;
}

async function isMember({ tx, projectId }: PeopleNeeds, userId: number): Promise<boolean> {
  const member = tx.selectFrom('memberships').select('id').where('projectId', '=', projectId);
  return (await member.where('userId', '=', userId).executeTakeFirst()) !== undefined;
}

const NOWHERE = '@imported.invalid';

/** An address at which nobody can be reached and nobody signs in, since it has no password and mail to `.invalid` goes nowhere. */
async function freeAddress(tx: Tx, name: string): Promise<string> {
  const local =
    name
      .toLowerCase()
      .normalize('NFKD')
      .replace(/[^a-z0-9]+/g, '.')
      .replace(/^\.+|\.+$/g, '') || 'person';
  for (let number = 1; ; number += 1) {
    const email = `${local}${number === 1 ? '' : `.${number}`}${NOWHERE}`;
    if (!(await userByEmail(tx, email))) return email;
  }
}
