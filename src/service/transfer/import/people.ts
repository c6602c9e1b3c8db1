import { MAX_LINE, MAX_MEMBERS_OF_PROJECT } from '../../../core/limits.ts';
import type { Membership } from '../../../core/story/project.ts';
import { normalized, withoutEnds } from '../../../core/text.ts';
import { UsageError } from '../../ground/errors.ts';
import type { Database, Tx } from '../../store/database.ts';
import { nameUser } from '../../store/imports.ts';
import { addUser, isAddress, type UserRow, userByEmail, usersCalled } from '../../store/people/users.ts';
import {
  addMember,
  isRole,
  memberNamed,
  type Role,
  removeMemberOf,
  roleIn,
  setRole,
} from '../../store/projects/memberships.ts';
import { changeImport, importById } from '../../store/stagedImports.ts';
import { UNKNOWN_AUTHOR } from '../csv/csvCells.ts';
import type { ImportedStory } from './importedStory.ts';
import { GivenUp } from './staging.ts';

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
  readonly database: Database;
  readonly importId: number;
  /** Undefined where the project is new, and nobody is a member yet. */
  readonly projectId: number | undefined;
  /** Who becomes the owner of a new project. */
  readonly owner: UserRow | undefined;
  readonly now: number;
  /** Whether users are made for those who are none. */
  readonly mayAdd: boolean;
  /** Whether nothing is changed. */
  readonly isTrial: boolean;
  /** Whether the report may say which users of the service have the same name. */
  readonly tellsNamesakes: boolean;
  /** Whether an address in the file may become a member, where not everyone may. */
  readonly admits?: (email: string) => Promise<boolean>;
}

interface Known {
  readonly id: number | null;
  times: number;
  readonly is: NamedPerson['is'];
}

/** Names that are told apart; those after them are kept as texts. Far more than any team has. */
const MOST_NAMES = 10_000;

/**
 * Those who made, own or wrote something in a file, and who they are here. Nobody becomes a member before the import is done: until then
 * it is only noted who is to.
 */
export class People {
  private readonly needs: PeopleNeeds;
  private readonly known = new Map<string, Known>();
  private readonly meant = new Map<string, UserRow>();
  private readonly awaited = new Set<string>();
  /** Roles of users who become members with the last step. */
  private readonly joining = new Map<number, Role>();

  constructor(needs: PeopleNeeds) {
    this.needs = needs;
  }

  /** The named ones, in the order in which the file named them. */
  async named(tx: Tx): Promise<readonly NamedPerson[]> {
    const found: NamedPerson[] = [];
    for (const [name, { times, is }] of this.known) {
      if (times === 0) continue;
      const others = this.needs.tellsNamesakes && (is === 'added' || is === 'text') ? await namesakes(tx, name) : [];
      found.push({ name, times, is, ...(others.length > 0 && { namesakes: others }) });
    }
    return found;
  }

  /** Names of which it was said who is meant, and which the file does not name. */
  get notNamed(): readonly string[] {
    return [...this.awaited];
  }

  /** Whether a new project gets an owner. */
  get joinsOwner(): boolean {
    return this.needs.owner !== undefined || [...this.joining.values()].includes('Owner');
  }

  /** How often names were met, to be put back when the last step is begun anew. */
  tally(): () => void {
    const before = new Map([...this.known].map(([name, { times }]) => [name, times]));
    return () => {
      for (const [name, known] of this.known) known.times = before.get(name) ?? 0;
    };
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

  /** Notes which users the names refer to, by their addresses. Throws `UsageError` when one is no user. */
  async mean(addresses: ReadonlyMap<string, string>): Promise<void> {
    for (const [name, address] of addresses) {
      this.meant.set(name, await this.needs.database.read((tx) => userNamed(tx, address)));
      this.awaited.add(name);
    }
  }

  /** What imports before this one kept for the names becomes that of the users they refer to. Gives the stories that this changed. */
  async handOver(tx: Tx, projectId: number): Promise<readonly number[]> {
    const changed: number[] = [];
    for (const [name, user] of this.meant) {
      const made = await importedMember(tx, projectId, name);
      const placeholder = made === user.id ? undefined : made;
      const handed = await handOver(tx, { projectId, name, placeholder, user });
      if (handed.length > 0) this.joining.set(user.id, this.joining.get(user.id) ?? 'Member');
      changed.push(...handed);
    }
    return changed;
  }

  /** Notes those whom the file says to be members, as far as they are users or may become such. */
  async join(memberships: readonly Membership[]): Promise<void> {
    const { mayAdd, admits } = this.needs;
    for (const { person, role } of memberships.slice(0, MAX_MEMBERS_OF_PROJECT)) {
      const { email, name } = person;
      if (email === undefined || !isAddress(email) || name.length > MAX_LINE) continue;
      if (admits && !(await admits(email))) continue;
      const user = this.meant.get(name ?? '') ?? (await this.needs.database.read((tx) => userByEmail(tx, email)));
      if (!user && !mayAdd) continue;
      const id = user?.id ?? (await this.add({ ...person, name, email }));
      if (id !== null && id !== this.needs.owner?.id) this.joining.set(id, isRole(role) ? role : 'Member');
      this.known.set(name, { id, times: 0, is: user ? 'joined' : 'added' });
    }
  }

  /** Finds out who the people of stories are. */
  async meet(stories: readonly ImportedStory[]): Promise<void> {
    for (const name of namesIn(stories)) {
      if (this.known.has(name) || this.known.size >= MOST_NAMES) continue;
      this.known.set(name, { ...(await this.find(name)), times: 0 });
    }
  }

  /** The user of a name that was met, or null when only the name is kept. */
  idOf(name: string | null | undefined): number | null {
    const known = this.known.get(name ?? '');
    if (!known) return null;
    known.times += 1;
    return known.id;
  }

  /** Makes members of all who are to be. */
  async joinAll(tx: Tx, projectId: number): Promise<void> {
    for (const [userId, role] of this.joining)
      if ((await roleIn(tx, projectId, userId)) === undefined) await addMember(tx, projectId, userId, role);
  }

  private async find(name: string): Promise<Omit<Known, 'times'>> {
    const { database, projectId, owner, mayAdd } = this.needs;
    const meant = this.meant.get(name);
    if (meant) return { id: meant.id, is: await this.joined(meant.id) };
    const member = projectId === undefined ? undefined : await database.read((tx) => memberNamed(tx, projectId, name));
    if (member !== undefined) return { id: member, is: 'member' };
    if (owner?.name === name) return { id: owner.id, is: 'member' };
    if (!mayAdd || name === UNKNOWN_AUTHOR) return { id: null, is: 'text' };
    const before = await database.read((tx) => importedUser(tx, name));
    const id = before ?? (await this.add({ name }));
    if (id !== null) this.joining.set(id, 'Member');
    return { id, is: before === undefined ? 'added' : 'joined' };
  }

  /** Makes a user, of whom the import knows until it is done; none on a trial. */
  private async add(person: { readonly name: string; readonly email?: string }): Promise<number | null> {
    const { database, importId, now, isTrial } = this.needs;
    if (isTrial) return null;
    return database.write(async (tx) => {
      const row = await importById(tx, importId);
      if (!row) throw new GivenUp();
      const { id } = await addUser(tx, { ...person, email: person.email ?? (await freeAddress(tx, person.name)) }, now);
      const added: unknown = JSON.parse(row.addedUsers);
      await changeImport(tx, importId, { addedUsers: JSON.stringify([...(Array.isArray(added) ? added : []), id]) });
      return id;
    });
  }

  private async joined(userId: number): Promise<'member' | 'joined'> {
    const { database, projectId, owner } = this.needs;
    if (userId === owner?.id) return 'member';
    const role = projectId === undefined ? undefined : await database.read((tx) => roleIn(tx, projectId, userId));
    if (role !== undefined) return 'member';
    this.joining.set(userId, 'Member');
    return 'joined';
  }
}

/** Of those that someone can have; longer ones are cut where they are kept. */
function namesIn(stories: readonly ImportedStory[]): ReadonlySet<string> {
  const names = new Set<string>();
  const note = (name: string | null | undefined): void => {
    if (name && name.length <= MAX_LINE) names.add(name);
  };
  for (const { requestedBy, ownedBy, notes, attachments } of stories) {
    for (const name of [requestedBy, ownedBy]) note(name);
    for (const { author } of notes) note(author);
    for (const { uploadedBy } of attachments) note(uploadedBy);
  }
  return names;
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
