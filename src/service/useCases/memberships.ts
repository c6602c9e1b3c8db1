import { randomUUID } from 'node:crypto';
import { MAX_ADDITIONS_AN_HOUR, MAX_LINE, MAX_MEMBERS_OF_PROJECT } from '../../core/limits.ts';
import type { Membership, NewMembership } from '../../core/story/project.ts';
import type { SettingsMember } from '../../core/story/projectSettings.ts';
import { KEPT_NAME_ELEMENT } from '../../v3/assumptions.ts';
import { type MadeInvitation, makeInvitation, renameUser } from '../auth/invitations.ts';
import { type Caller, type Change, requireRole, requireToken } from '../auth/projectAccess.ts';
import { forbidden, notFound, tooMany, unprocessable } from '../ground/errors.ts';
import { refuseTooLong } from '../input/fieldLimits.ts';
import type { Tx } from '../store/database.ts';
import { countNamed, nameUser } from '../store/imports.ts';
import { addJob } from '../store/jobs/queues.ts';
import { dropInvitationsTo, isInvitedByOther } from '../store/people/invitations.ts';
import { countUse } from '../store/people/recentUses.ts';
import {
  addUser,
  cannotSignIn,
  deleteUser,
  normalEmail,
  reachesNobody,
  type UserRow,
  userByEmail,
} from '../store/people/users.ts';
import {
  addMember,
  isInProjectsOfOthers,
  isRole,
  membershipsOfProject,
  ROLES,
  type Role,
  removeMember,
  roleIn,
  setRole,
  setRoleOf,
} from '../store/projects/memberships.ts';
import { lockProject, projectsOfUser, type RuleValue, ruleValue } from '../store/projects/projects.ts';
import { ownedStories } from '../store/projects/projectUse.ts';
import { quoted, record } from './recordActivity.ts';

const MAX_INITIALS = 10;

type Removing = Pick<Change, 'tx' | 'project' | 'user'>;

/** What is needed of a change; who makes it is nowhere told. */
type Membering = Pick<Change, 'tx' | 'project' | 'now'>;

/**
 * Counts that an owner wants to make someone a member who is none yet, in a transaction of its own: what is refused counts too, so that
 * nobody finds out by trying which addresses are known here. Who is a member and cannot sign in yet is invited again, which counts. Throws `Refusal` 401, 404, 403 and 422 as the addition itself would, and 429.
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
    return isMember && !(await cannotSignIn(tx, person))
      ? 0
      : countUse(tx, user.id, 'member', MAX_ADDITIONS_AN_HOUR, now);
  });
  if (wait > 0) throw tooMany(`You can add at most ${MAX_ADDITIONS_AN_HOUR} people an hour to projects.`, wait);
}

/**
 * Makes a person a member, or gives a member another role; without one a member keeps theirs. Whom an owner may add is an administrator's
 * rule. Of a user who is here already nothing that is sent is taken but the address.
 */
async function addMembershipAsOwner(change: Change, wanted: NewMembership): Promise<Membership> {
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
  if (rule === 'administrators') throw onlyAdministratorsAdd();
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

/** What the rule of an administrator says to who wants to add someone. */
export function onlyAdministratorsAdd(): Error {
  return forbidden(
    'Only an administrator of this service can add people to projects, with the command "project member".',
  );
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

/** Gives a member another role. Throws `Refusal` 404, and 422 where the project would be left without an owner. */
export async function changeRoleAsOwner(change: Change, membershipId: number, role: string): Promise<Membership> {
  const { tx, project } = change;
  const all = await membershipsOfProject(tx, project.id);
  const membership = all.find(({ id }) => id === membershipId);
  if (!membership) throw noMembership(membershipId);
  if (!isRole(role)) throw unprocessable([{ field: 'role', sentence: `A role must be one of ${ROLES.join(', ')}.` }]);
  if (role !== 'Owner') refuseLastOwner(all, membership);
  await setRoleOf(tx, membershipId, role);
  return { ...membership, role };
}

/** A member, and how many stories say something of a name that is to be theirs. */
interface NamedMember {
  readonly membership: Membership;
  readonly stories: number;
}

/**
 * Has what the project says of a name that no user is behind, as an import keeps it, said of a member from then on. Throws `Refusal` 404
 * and 422.
 */
export async function giveNameTo(change: Change, membershipId: number, name: string): Promise<NamedMember> {
  const { tx, project } = change;
  const found = await memberToName(change, membershipId, name);
  const user = await namedAsKept(change, found.user, name);
  const membership = { ...found.membership, person: { ...found.membership.person, name: user.name } };
  const { length } = await nameUser(tx, { projectId: project.id, name, before: undefined, user });
  if (length > 0) {
    const stories = length === 1 ? '1 story' : `${length} stories`;
    await record(change, 'project_update', `matched ${quoted(name)} in ${stories} to ${quoted(user.name)}`);
  }
  return { membership, stories: length };
}

/** The same without doing it. Throws `Refusal` also 403. */
export async function memberAsNamed(change: Removing, membershipId: number, name: string): Promise<NamedMember> {
  const { tx, project, user } = change;
  await requireRole(tx, project.id, user, 'Owner');
  const { membership } = await memberToName(change, membershipId, name);
  return { membership, stories: await countNamed(tx, { projectId: project.id, name }) };
}

/**
 * Who was added by their address alone is called by that until they come: until then the name that was kept is better, as long as no other
 * project knows them.
 */
async function namedAsKept({ tx }: Change, user: UserRow, name: string): Promise<UserRow> {
  const isNameless = user.name === user.email && (await cannotSignIn(tx, user));
  if (!isNameless || (await projectsOfUser(tx, user.id)).length > 1) return user;
  await renameUser(tx, user.id, name);
  return (await userByEmail(tx, user.email)) ?? user;
}

async function memberToName({ tx, project }: Pick<Change, 'tx' | 'project'>, membershipId: number, name: string) {
  const membership = (await membershipsOfProject(tx, project.id)).find(({ id }) => id === membershipId);
  const user = membership && (await userByEmail(tx, membership.person.email ?? ''));
  if (!user) throw noMembership(membershipId);
  if (name === '') throw unprocessable([{ field: KEPT_NAME_ELEMENT, sentence: 'Pass the name to match.' }]);
  refuseTooLong('The name of a person', name, MAX_LINE);
  return { membership, user };
}

/** Owners remove anyone, and everyone themselves, which is how one says no to having been added. Throws `Refusal` 403, 404, 422. */
export async function removeMembershipAs(change: Removing, membershipId: number): Promise<SettingsMember> {
  const membership = await membershipToRemove(change, membershipId);
  await endMembership(change, membership);
  return membership;
}

/** The same without doing it: what the member owns, where they can be removed at all. */
export async function membershipToRemove(
  { tx, project, user }: Removing,
  membershipId: number,
): Promise<SettingsMember> {
  const all = await membershipsOfProject(tx, project.id);
  const membership = all.find(({ id }) => id === membershipId);
  if (membership?.person.email !== user.email) await requireRole(tx, project.id, user, 'Owner');
  if (!membership) throw noMembership(membershipId);
  refuseLastOwner(all, membership);
  const owned = await ownedStories(tx, project.id);
  return { ...membership, ownedStories: owned.get(membershipId) ?? 0 };
}

/** The user who makes the change leaves its project, whatever their role. Throws `Refusal` 422 for the last owner. */
export async function leaveProject(change: Change): Promise<void> {
  const all = await membershipsOfProject(change.tx, change.project.id);
  const own = all.find(({ person }) => person.email === change.user.email);
  if (own) await removeMembership(change, own.id);
}

export async function removeMembership(
  change: Pick<Change, 'tx' | 'project'>,
  membershipId: number,
): Promise<Membership> {
  const all = await membershipsOfProject(change.tx, change.project.id);
  const membership = all.find(({ id }) => id === membershipId);
  if (!membership) throw noMembership(membershipId);
  refuseLastOwner(all, membership);
  await endMembership(change, membership);
  return membership;
}

/** With the invitation to it, if the member has not followed that yet. */
async function endMembership(
  { tx, project }: Pick<Change, 'tx' | 'project'>,
  { id, person }: Membership,
): Promise<void> {
  const user = await userByEmail(tx, person.email ?? '');
  await removeMember(tx, id);
  if (user) await dropInvitationsTo(tx, user.id, project.id);
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

/** What is kept of an invitation until its email is sent. The token in the email is made then, so that none is kept. */
interface InvitationJob {
  readonly invitationId: number;
}

/** How an invitation can reach its person. */
interface Ways {
  readonly mailsAreSent: boolean;
  /** Whether nobody on the way to the owner can read along. */
  readonly isPrivate: boolean;
}

/** An invitation that goes with a membership. */
interface SentInvitation extends Pick<MadeInvitation, 'expiresAt'> {
  /** For the owner to pass on; undefined where only the invited person may have it. */
  readonly token: string | undefined;
  readonly isMailed: boolean;
}

interface InvitedMember {
  readonly membership: Membership;
  /** Undefined for who can sign in already, and where there is no way to invite them. */
  readonly invitation: SentInvitation | undefined;
}

/** Emails and links to one person in an hour, whoever invites them. */
const MAX_INVITATIONS_AN_HOUR = 5;

/**
 * Makes a person a member, as `addMembershipAsOwner` does, and invites them where they have no way to sign in yet; those who are members
 * already are invited again, unless it is their role that changes. Throws `Refusal` also 422 and 429.
 */
export async function addInvitedMember(change: Change, wanted: NewMembership, ways: Ways): Promise<InvitedMember> {
  const { tx, project } = change;
  const known = await userByEmail(tx, wanted.person.email);
  const present = known && (await roleIn(tx, project.id, known.id));
  const membership = await addMembershipAsOwner(change, wanted);
  const user = await userByEmail(tx, wanted.person.email);
  const isOtherRole = present !== undefined && present !== membership.role;
  if (!user || isOtherRole || reachesNobody(user.email) || !(await cannotSignIn(tx, user))) {
    return { membership, invitation: undefined };
  }
  return { membership, invitation: await invite(change, user, ways, present !== undefined) };
}

/**
 * An owner is given the link only of who is in no projects but theirs: whoever has it becomes that person. Others get it by email alone.
 */
async function invite(
  { tx, project, user: owner, now }: Change,
  person: UserRow,
  { mailsAreSent, isPrivate }: Ways,
  isAgain: boolean,
): Promise<SentInvitation | undefined> {
  const isOfOthers = await isInProjectsOfOthers(tx, person.id, owner.id);
  if (!mailsAreSent && isOfOthers && (await isInvitedByOther(tx, person.id, owner.id, now))) {
    throw unprocessable(
      `${person.email} was invited to another project and has not set a password yet. Add them once they have.`,
    );
  }
  const isHandedOver = isPrivate && !isOfOthers;
  if (!isHandedOver && !mailsAreSent) return undefined;
  const wait = await countUse(tx, person.id, 'invitation', MAX_INVITATIONS_AN_HOUR, now);
  if (wait > 0 && !isAgain) return undefined; // They have a link, and are members all the same.
  if (wait > 0) throw tooMany(`A person can be invited at most ${MAX_INVITATIONS_AN_HOUR} times an hour.`, wait);
  const handedToId = isHandedOver ? owner.id : null;
  const wanted = { userId: person.id, projectId: project.id, invitedBy: owner.name, handedToId };
  const { id, token, expiresAt } = await makeInvitation(tx, wanted, now);
  const payload: InvitationJob = { invitationId: id };
  if (mailsAreSent) await addJob(tx, { kind: 'mail', key: randomUUID(), payload }, now);
  return { token: isHandedOver ? token : undefined, expiresAt, isMailed: mailsAreSent };
}
