import { MAX_LINE } from '../../core/limits.ts';
import type { Membership, NewMembership } from '../../core/project.ts';
import type { Change } from '../auth/projectAccess.ts';
import { refuseTooLong } from '../input/fieldLimits.ts';
import { notFound, unprocessable } from '../refusal.ts';
import {
  addMember,
  isRole,
  membershipsOfProject,
  ROLES,
  type Role,
  removeMember,
  roleIn,
  setRole,
} from '../store/memberships.ts';
import { addUser, type UserRow, userByEmail } from '../store/users.ts';

const MAX_INITIALS = 10;

/** What is needed of a change; who makes it is nowhere told. */
type Membering = Pick<Change, 'tx' | 'project' | 'now'>;

/**
 * Makes a person a member, or gives a member another role; without one a member keeps theirs. Who is not known here becomes a user
 * who can be given a token.
 */
export async function addMembership(change: Membering, wanted: NewMembership): Promise<Membership> {
  const { tx, project } = change;
  if (wanted.role !== '' && !isRole(wanted.role)) throw unprocessable(`A role is one of ${ROLES.join(', ')}.`);
  const user = await person(change, wanted.person);
  const present = await roleIn(tx, project.id, user.id);
  const role = isRole(wanted.role) ? wanted.role : roleOr(present, 'Member');
  if (present === undefined) await addMember(tx, project.id, user.id, role);
  else await changeRole(change, user, present, role);
  const all = await membershipsOfProject(tx, project.id);
  const added = all.find(({ person }) => person.email === user.email);
  if (!added) throw new Error('The membership just added is not there.');
  return added;
}

function roleOr(present: string | undefined, usual: Role): Role {
  return present !== undefined && isRole(present) ? present : usual;
}

export async function removeMembership(
  change: Pick<Change, 'tx' | 'project'>,
  membershipId: number,
): Promise<Membership> {
  const all = await membershipsOfProject(change.tx, change.project.id);
  const membership = all.find(({ id }) => id === membershipId);
  if (!membership) throw noMembership(membershipId);
  refuseLastOwner(all, membership);
  await removeMember(change.tx, membershipId);
  return membership;
}

export function noMembership(membershipId: number): Error {
  return notFound(`There is no membership ${membershipId} in this project.`);
}

async function person({ tx, now }: Membering, { email, name, initials }: NewMembership['person']): Promise<UserRow> {
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw unprocessable('A member needs an e-mail address.');
  refuseTooLong('An e-mail address', email, MAX_LINE);
  refuseTooLong('The name of a person', name, MAX_LINE);
  refuseTooLong('The initials of a person', initials, MAX_INITIALS);
  const known = await userByEmail(tx, email);
  return known ?? addUser(tx, { name: name ?? email, email, ...(initials !== undefined && { initials }) }, now);
}

async function changeRole({ tx, project }: Membering, user: UserRow, from: string, to: Role): Promise<void> {
  const all = await membershipsOfProject(tx, project.id);
  const membership = all.find(({ person }) => person.email === user.email);
  if (membership && from === 'Owner' && to !== 'Owner') refuseLastOwner(all, membership);
  await setRole(tx, project.id, user.id, to);
}

function refuseLastOwner(all: readonly Membership[], membership: Membership): void {
  const owners = all.filter(({ role }) => role === 'Owner');
  if (membership.role === 'Owner' && owners.length === 1) {
    throw unprocessable('This is the only owner of the project. Make somebody else an owner first.');
  }
}
