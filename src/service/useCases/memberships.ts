import { MAX_ADDITIONS_AN_HOUR, MAX_LINE, MAX_MEMBERS_OF_PROJECT } from '../../core/limits.ts';
import type { Membership, NewMembership } from '../../core/story/project.ts';
import { type Caller, type Change, requireRole, requireToken } from '../auth/projectAccess.ts';
import { forbidden, notFound, tooMany, unprocessable } from '../ground/errors.ts';
import { refuseTooLong } from '../input/fieldLimits.ts';
import type { Tx } from '../store/database.ts';
import { countUse } from '../store/people/recentUses.ts';
import { addUser, deleteUser, normalEmail, type UserRow, userByEmail } from '../store/people/users.ts';
import {
  addMember,
  isRole,
  membershipsOfProject,
  ROLES,
  type Role,
  removeMember,
  roleIn,
  setRole,
} from '../store/projects/memberships.ts';
import { lockProject, projectsOfUser } from '../store/projects/projects.ts';
import { type RuleValue, ruleValue } from '../store/projects/rules.ts';

const MAX_INITIALS = 10;

/** What is needed of a change; who makes it is nowhere told. */
type Membering = Pick<Change, 'tx' | 'project' | 'now'>;

/**
 * Counts that an owner wants to make someone a member who is none yet, in a transaction of its own: what is refused counts too, so that
 * nobody finds out by trying which addresses are known here. Throws `Refusal` 401, 404, 403 and 422 as the addition itself would, and 429.
 */
export async function countAddition(
  call: Caller & { readonly tokenHash: string },
  projectId: number,
  wanted: NewMembership,
): Promise<void> {
  const { service, user, now, tokenHash } = call;
  const wait = await service.database.write(async (tx) => {
    await requireToken(tx, tokenHash);
    await requireRole(tx, projectId, user, 'Owner');
    refuseWrongMembership(wanted);
    const person = await userByEmail(tx, wanted.person.email);
    const isMember = person !== undefined && (await roleIn(tx, projectId, person.id)) !== undefined;
    return isMember ? 0 : countUse(tx, user.id, 'member', MAX_ADDITIONS_AN_HOUR, now);
  });
  if (wait > 0) throw tooMany(`You can add at most ${MAX_ADDITIONS_AN_HOUR} people an hour to projects.`, wait);
}

/**
 * Makes a person a member, or gives a member another role; without one a member keeps theirs. Whom an owner may add is an administrator's
 * rule. Of a user who is here already nothing that is sent is taken but the address.
 */
export async function addMembershipAsOwner(change: Change, wanted: NewMembership): Promise<Membership> {
  const { tx, project } = change;
  refuseWrongMembership(wanted);
  const rule = await ruleValue(tx, 'adding-people');
  const user = await userByEmail(tx, wanted.person.email);
  const isMember = user !== undefined && (await roleIn(tx, project.id, user.id)) !== undefined;
  if (!isMember) await refuseAddition(change, rule, user, normalEmail(wanted.person.email));
  return addMembership(change, wanted);
}

async function refuseAddition(
  { tx, project }: Change,
  rule: RuleValue<'adding-people'>,
  user: UserRow | undefined,
  email: string,
): Promise<void> {
  if (rule === 'administrators') {
    throw forbidden(
      'Only an administrator of this service can add people to projects, with the command "project member".',
    );
  }
  if (!user && rule === 'users') {
    throw unprocessable(
      `This service has no user with the address ${email}. Ask an administrator to add them with the command "user add".`,
    );
  }
  if ((await membershipsOfProject(tx, project.id)).length >= MAX_MEMBERS_OF_PROJECT) {
    const most = MAX_MEMBERS_OF_PROJECT.toLocaleString('en');
    throw unprocessable(`A project has at most ${most} members. Remove those who no longer work on it.`);
  }
}

/** The same without asking what owners may: someone new becomes a user, who can be given a token. */
export async function addMembership(change: Membering, wanted: NewMembership): Promise<Membership> {
  const { tx, project } = change;
  refuseWrongMembership(wanted);
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

function refuseWrongMembership({ role, person: { email, name, initials } }: NewMembership): void {
  if (role !== '' && !isRole(role)) throw unprocessable(`A role must be one of ${ROLES.join(', ')}.`);
  refuseTooLong('An email address', email, MAX_LINE);
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw unprocessable('A member needs an email address.');
  refuseTooLong('The name of a person', name, MAX_LINE);
  refuseTooLong('The initials of a person', initials, MAX_INITIALS);
}

function roleOr(present: string | undefined, usual: Role): Role {
  return present !== undefined && isRole(present) ? present : usual;
}

/** Owners remove anyone, and everyone themselves, which is how one says no to having been added. Throws `Refusal` 403, 404, 422. */
export async function removeMembershipAs(change: Change, membershipId: number): Promise<Membership> {
  const { tx, project, user } = change;
  const membership = (await membershipsOfProject(tx, project.id)).find(({ id }) => id === membershipId);
  if (membership?.person.email !== user.email) await requireRole(tx, project.id, user, 'Owner');
  return removeMembership(change, membershipId);
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
    throw unprocessable('This is the only owner of the project. Make someone else an owner first.');
  }
}

/**
 * Removes a user, whose tokens and memberships end. Stories, comments and activities keep the name. Throws `Refusal` 422 with the
 * projects that would be left without an owner.
 */
export async function removeUser(tx: Tx, user: UserRow): Promise<void> {
  const orphans: string[] = [];
  for (const { id, name } of await projectsOfUser(tx, user.id)) {
    await lockProject(tx, id);
    const members = await membershipsOfProject(tx, id);
    const owners = members.filter(({ role }) => role === 'Owner').map(({ person }) => person.email);
    if (owners.length === 1 && owners[0] === user.email) orphans.push(`project ${id}, ${name}`);
  }
  if (orphans.length > 0) {
    throw unprocessable(
      orphans.map((project) => `${user.name} is the only owner of ${project}. Make someone else an owner first.`),
    );
  }
  await deleteUser(tx, user.id);
}
