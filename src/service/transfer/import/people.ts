import type { Membership } from '../../../core/story/project.ts';
import { normalized, withoutEnds } from '../../../core/text.ts';
import { UsageError } from '../../ground/errors.ts';
import type { Tx } from '../../store/database.ts';
import { nameUser } from '../../store/imports.ts';
import { addUser, type UserRow, userByEmail, usersCalled } from '../../store/people/users.ts';
import { addMember, isRole, memberNamed, removeMemberOf, roleIn, setRole } from '../../store/projects/memberships.ts';
import { UNKNOWN_AUTHOR } from '../csv/csvCells.ts';
import type { ImportedStory } from './importedStory.ts';

/** A person whom a file names. */
export interface NamedPerson {
  readonly name: string;
  /** How often the file names them. */
  readonly times: number;
  /** `member`: of the project already. `joined`: a user who became a member. `added`: made. `text`: the name is kept, nobody is meant. */
  readonly is: 'member' | 'joined' | 'added' | 'text';
  /** Addresses of users who are called the same and were not taken for them. */
  readonly namesakes?: readonly string[];
}

interface PeopleNeeds {
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
  private readonly meant = new Map<string, UserRow>();
  private readonly awaited = new Set<string>();

  constructor(needs: PeopleNeeds) {
    this.needs = needs;
  }

  /** The named ones, in the order in which the file named them. */
  async named(): Promise<readonly NamedPerson[]> {
    const found: NamedPerson[] = [];
    for (const [name, { times, is }] of this.known) {
      if (times === 0) continue;
      const others = is === 'added' || is === 'text' ? await namesakes(this.needs.tx, name) : [];
      found.push({ name, times, is, ...(others.length > 0 && { namesakes: others }) });
    }
    return found;
  }

  /** Names of which it was said who is meant, and which the file does not name. */
  get notNamed(): readonly string[] {
    return [...this.awaited];
  }

  /** To be told of each story of the file, whether it is news or not. */
  see({ requestedBy, ownedBy, notes, attachments }: ImportedStory): void {
    if (this.awaited.size === 0) return;
    const authors = [...notes.map(({ author }) => author), ...attachments.map(({ uploadedBy }) => uploadedBy)];
    for (const name of [requestedBy, ownedBy, ...authors]) this.awaited.delete(name ?? '');
  }

  /** What the project calls someone whom a file names. */
  nameOf(name: string): string {
    return this.meant.get(name)?.name ?? name;
  }

  /**
   * Tells which users the names refer to, by their addresses; what imports before this one kept for the names becomes theirs. Gives the
   * stories that this changed. Throws `UsageError` when one is no user.
   */
  async mean(addresses: ReadonlyMap<string, string>): Promise<readonly number[]> {
    const { tx, projectId } = this.needs;
    const changed: number[] = [];
    for (const [name, address] of addresses) {
      const user = await userNamed(tx, address);
      this.meant.set(name, user);
      this.awaited.add(name);
      const made = await importedMember(tx, projectId, name);
      const placeholder = made === user.id ? undefined : made;
      const handed = await handOver(tx, { projectId, name, placeholder, user });
      if (handed.length > 0) await this.joined(user.id);
      changed.push(...handed);
    }
    return changed;
  }

  /** Makes members of those whom the file says to be members, as far as they are users or may become such. */
  async join(memberships: readonly Membership[]): Promise<void> {
    const { tx, projectId, now, mayAdd } = this.needs;
    for (const { person, role } of memberships) {
      const { email, name } = person;
      const user = this.meant.get(name ?? '') ?? (email === undefined ? undefined : await userByEmail(tx, email));
      if (email === undefined || (!user && !mayAdd)) continue;
      const { id } = user ?? (await addUser(tx, { ...person, name, email }, now));
      if ((await roleIn(tx, projectId, id)) === undefined)
        await addMember(tx, projectId, id, isRole(role) ? role : 'Member');
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
    const meant = this.meant.get(name);
    if (meant !== undefined) return { id: meant.id, is: await this.joined(meant.id) };
    const member = await memberNamed(tx, projectId, name);
    if (member !== undefined) return { id: member, is: 'member' };
    if (!mayAdd || name === UNKNOWN_AUTHOR) return { id: null, is: 'text' };
    const before = await importedUser(tx, name);
    const id = before ?? (await addUser(tx, { name, email: await freeAddress(tx, name) }, now)).id;
    await addMember(tx, projectId, id, 'Member');
    return { id, is: before === undefined ? 'added' : 'joined' };
  }

  private async joined(userId: number): Promise<'member' | 'joined'> {
    const { tx, projectId } = this.needs;
    if ((await roleIn(tx, projectId, userId)) !== undefined) return 'member';
    await addMember(tx, projectId, userId, 'Member');
    return 'joined';
  }
}

/** The user with this address; throws `UsageError` when there is none. */
export async function userNamed(tx: Tx, email: string | undefined): Promise<UserRow> {
  if (email === undefined || email.trim() === '') throw new UsageError('Missing --email.');
  const user = await userByEmail(tx, email);
  if (!user) throw new UsageError(`No user has the address ${email}.`);
  return user;
}

/** Of addresses of users whom imports made. */
const NOWHERE = '@imported.invalid';

/** The user whom an import made for a person of this name before. Others of the name may be someone else, who must not get to see the project. */
async function importedUser(tx: Tx, name: string): Promise<number | undefined> {
  return (await usersCalled(tx, name)).find(({ email }) => email.endsWith(NOWHERE))?.id;
}

/** The same, if they are a member. */
async function importedMember(tx: Tx, projectId: number, name: string): Promise<number | undefined> {
  const id = await importedUser(tx, name);
  return id !== undefined && (await roleIn(tx, projectId, id)) !== undefined ? id : undefined;
}

/** Addresses of users of a name whom no import made. */
async function namesakes(tx: Tx, name: string): Promise<readonly string[]> {
  return (await usersCalled(tx, name)).map(({ email }) => email).filter((email) => !email.endsWith(NOWHERE));
}

/** An address at which nobody can be reached and nobody signs in, since it has no password and mail to `.invalid` goes nowhere. */
async function freeAddress(tx: Tx, name: string): Promise<string> {
  const words = normalized(name.toLowerCase(), 'NFKD').replace(/[^a-z0-9]+/g, '.');
  const local = withoutEnds(words, '.') || 'person';
  for (let number = 1; ; number += 1) {
    const email = `${local}${number === 1 ? '' : `.${number}`}${NOWHERE}`;
    if (!(await userByEmail(tx, email))) return email;
  }
}

/** Whom a project names, by an import before, and who it is. */
interface HandOver {
  readonly projectId: number;
  /** In the file. */
  readonly name: string;
  /** The user whom an import made for the name; none where only the name was kept. */
  readonly placeholder: number | undefined;
  readonly user: UserRow;
}

/** What a project says of a name that nobody has, or a user made for it, is said of a user from now on. Gives the stories that changed. */
async function handOver(tx: Tx, { projectId, name, placeholder, user }: HandOver): Promise<readonly number[]> {
  const changed = await nameUser(tx, { projectId, name, before: placeholder, user });
  if (placeholder !== undefined) await handMembershipOver(tx, projectId, placeholder, user.id);
  return changed;
}

/** The role goes along, so that no project loses its only owner. */
async function handMembershipOver(tx: Tx, projectId: number, from: number, to: number): Promise<void> {
  const role = await roleIn(tx, projectId, from);
  if ((await roleIn(tx, projectId, to)) === undefined) await addMember(tx, projectId, to, 'Member');
  if (role === 'Owner') await setRole(tx, projectId, to, role);
  await removeMemberOf(tx, projectId, from);
}
