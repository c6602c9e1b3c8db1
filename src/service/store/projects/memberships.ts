import type { Membership } from '../../../core/story/project.ts';
import { folded } from '../../../core/text.ts';
import { MEMBER_ROLES } from '../../../v3/assumptions.ts';
import type { Tx } from '../database.ts';
import { knownQuery } from '../queries.ts';
import type { ProjectIds } from './projects.ts';

export const ROLES = MEMBER_ROLES;
export type Role = (typeof ROLES)[number];

export function isRole(text: string): text is Role {
  return ROLES.some((role) => role === text);
}

export async function roleIn(tx: Tx, projectId: number, userId: number): Promise<string | undefined> {
  const row = await tx
    .selectFrom('memberships')
    .select('role')
    .where('projectId', '=', projectId)
    .where('userId', '=', userId)
    .executeTakeFirst();
  return row?.role;
}

interface Caller {
  readonly projectId: number;
  readonly tokenHash: string;
}

const rolesByToken = knownQuery((tx, { projectId, tokenHash }: Caller) =>
  tx
    .selectFrom('tokens')
    .innerJoin('memberships', 'memberships.userId', 'tokens.userId')
    .select('memberships.role')
    .where('tokens.hash', '=', tokenHash)
    .where('memberships.projectId', '=', projectId),
);

/** The same of whom a token stands for; undefined also when it stands for nobody any more. */
export async function roleByToken(tx: Tx, projectId: number, tokenHash: string): Promise<string | undefined> {
  const [row] = await rolesByToken(tx, { projectId, tokenHash });
  return row?.role;
}

export async function addMember(tx: Tx, projectId: number, userId: number, role: Role): Promise<number> {
  const row = await tx
    .insertInto('memberships')
    .values({ projectId, userId, role })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function setRole(tx: Tx, projectId: number, userId: number, role: Role): Promise<void> {
  await tx
    .updateTable('memberships')
    .set({ role })
    .where('projectId', '=', projectId)
    .where('userId', '=', userId)
    .execute();
}

/** The same by the membership. */
export async function setRoleOf(tx: Tx, membershipId: number, role: Role): Promise<void> {
  await tx.updateTable('memberships').set({ role }).where('id', '=', membershipId).execute();
}

export async function removeMember(tx: Tx, membershipId: number): Promise<void> {
  await tx.deleteFrom('memberships').where('id', '=', membershipId).execute();
}

/** The same by project and user. */
export async function removeMemberOf(tx: Tx, projectId: number, userId: number): Promise<void> {
  await tx.deleteFrom('memberships').where('projectId', '=', projectId).where('userId', '=', userId).execute();
}

export async function membershipsOfProject(tx: Tx, projectId: number): Promise<Membership[]> {
  const rows = await people(tx).where('memberships.projectId', '=', projectId).execute();
  return rows.map(membership);
}

export async function membershipsOfProjects(tx: Tx, projectIds: readonly number[]) {
  const rows = await people(tx)
    .where('memberships.projectId', 'in', [...projectIds])
    .execute();
  return rows.map((row) => ({ projectId: row.projectId, membership: membership(row) }));
}

/** Of a user, in these projects. */
export async function membershipsIn(tx: Tx, userId: number, projectIds: ProjectIds): Promise<Membership[]> {
  const rows = await people(tx)
    .where('memberships.userId', '=', userId)
    .where('memberships.projectId', 'in', projectIds)
    .execute();
  return rows.map(membership);
}

function people(tx: Tx) {
  return tx
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.userId')
    .innerJoin('projects', 'projects.id', 'memberships.projectId')
    .select([
      'memberships.id as id',
      'memberships.role as role',
      'users.name as name',
      'users.email as email',
      'users.initials as initials',
      'projects.id as projectId',
      'projects.name as projectName',
    ])
    .orderBy('memberships.id');
}

/** As it is told inside its project. */
export function withoutProject({ id, person, role }: Membership): Membership {
  return { id, person, role };
}

interface MembershipRow {
  readonly id: number;
  readonly role: string;
  readonly name: string;
  readonly email: string;
  readonly initials: string;
  readonly projectId: number;
  readonly projectName: string;
}

function membership(row: MembershipRow): Membership {
  return {
    id: row.id,
    role: row.role,
    person: { email: row.email, name: row.name, initials: row.initials },
    project: { id: row.projectId, name: row.projectName },
  };
}

/** The member a story's requester or owner means, by name. */
export async function memberNamed(tx: Tx, projectId: number, name: string): Promise<number | undefined> {
  const row = await tx
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.userId')
    .select('users.id')
    .where('memberships.projectId', '=', projectId)
    .where('users.name', '=', name)
    .orderBy('users.id')
    .executeTakeFirst();
  return row?.id;
}

/** The same, however the name is written in capitals and spaces; who writes it exactly so comes first. */
export async function memberCalled(tx: Tx, projectId: number, name: string) {
  const exact = await memberNamed(tx, projectId, name);
  if (exact !== undefined) return { name, id: exact };
  const members = await tx
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.userId')
    .select(['users.id', 'users.name'])
    .where('memberships.projectId', '=', projectId)
    .orderBy('users.id')
    .execute();
  return members.find((member) => isSameName(member.name, name));
}

/** Whether two names are equal but for capitals and spaces. */
export function isSameName(one: string, other: string): boolean {
  return comparable(one) === comparable(other);
}

function comparable(name: string): string {
  return folded(name).replace(/\s+/gu, ' ').trim();
}

/** Whether a user is a member of a project that another one does not own. */
export async function isInProjectsOfOthers(tx: Tx, userId: number, ownerId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('memberships')
    .select('id')
    .where('userId', '=', userId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('memberships as owned')
            .select('owned.id')
            .whereRef('owned.projectId', '=', 'memberships.projectId')
            .where('owned.userId', '=', ownerId)
            .where('owned.role', '=', 'Owner'),
        ),
      ),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** A membership as its own member lists it. */
export interface OwnMembership {
  readonly projectId: number;
  readonly projectName: string;
  readonly role: string;
}

/** Those of one user, by the name of the project. */
export async function ownMemberships(tx: Tx, userId: number): Promise<readonly OwnMembership[]> {
  return tx
    .selectFrom('memberships')
    .innerJoin('projects', 'projects.id', 'memberships.projectId')
    .select(['projects.id as projectId', 'projects.name as projectName', 'memberships.role'])
    .where('memberships.userId', '=', userId)
    .orderBy('projects.name')
    .orderBy('projects.id')
    .execute();
}
