import type { ServiceLog } from '../ground/background.ts';
import { forbidden, notFound, type Refusal, unauthorized, unprocessable } from '../ground/errors.ts';
import type { Database, Tx } from '../store/database.ts';
import { ownerOfToken } from '../store/people/tokens.ts';
import type { UserRow } from '../store/people/users.ts';
import { type Role, roleByToken, roleIn } from '../store/projects/memberships.ts';
import {
  lockProject,
  type ProjectRow,
  projectById,
  projectIdsOfUser,
  projectsOfUser,
} from '../store/projects/projects.ts';

/**
 * To be asked inside the transaction of a write: between the head of a request and the end of its body a token may be revoked, or
 * its user removed. Throws `Refusal` 401.
 */
export async function requireToken(tx: Tx, hash: string): Promise<void> {
  if (!(await ownerOfToken(tx, hash))) throw unknownToken();
}

export function unknownToken(): Refusal {
  return challenge('This API token is not valid. Sign in again.');
}

export function challenge(sentence: string): Refusal {
  return unauthorized('X-ServiceToken realm="Story Tracker"', sentence);
}

/** Who asks and where: what a request says of itself before a project is looked at. */
export interface Caller {
  readonly service: { readonly database: Database; readonly log: ServiceLog };
  readonly user: UserRow;
  /** Of the token that a request came with; what comes by mail has none. */
  readonly tokenHash?: string;
  /** Whether nobody on the way can read along. */
  readonly isPrivate: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** One use case that changes one project, inside its transaction. */
export interface Change {
  readonly tx: Tx;
  readonly project: ProjectRow;
  readonly user: UserRow;
  readonly now: number;
  readonly log: ServiceLog;
}

/** Reads in a project the user belongs to; to others it does not exist. */
export function readInProject<T>(
  call: Caller,
  projectId: number,
  work: (tx: Tx, project: ProjectRow) => Promise<T>,
): Promise<T> {
  return call.service.database.read(async (tx) => {
    const project = await projectById(tx, projectId);
    await requireRole(tx, projectId, call.user, 'Viewer');
    return work(tx, carried(call, found(project)));
  });
}

/**
 * Changes a project in which the user's role allows it, all or nothing. Role and token are those of the moment of the change. Throws
 * `Refusal` 401 when the token was revoked since the request began, and as `requireRole` does.
 */
export function changeProject<T>(
  call: Caller,
  projectId: number,
  role: Role,
  work: (change: Change) => Promise<T>,
): Promise<T> {
  const { user, now } = call;
  return call.service.database.write(async (tx) => {
    const project = await lockProject(tx, projectId);
    refuseWeakRole(await roleOfCaller(tx, projectId, call), role);
    return work({ tx, project: carried(call, found(project)), user, now, log: call.service.log });
  });
}

/**
 * Changes two projects at once, where the user's role allows it in both. They are locked in the order of their ids, as all do who lock
 * several. Throws as `changeProject` does, and `Refusal` 422 where the other one is not there for the user.
 */
export function changeProjects<T>(
  call: Caller,
  [projectId, otherId]: readonly [number, number],
  role: Role,
  work: (change: Change, other: Change) => Promise<T>,
): Promise<T> {
  const { user, now } = call;
  return call.service.database.write(async (tx) => {
    const rows = new Map<number, ProjectRow | undefined>();
    for (const id of [projectId, otherId].sort((one, two) => one - two)) rows.set(id, await lockProject(tx, id));
    const changeOf = (row: ProjectRow) => ({ tx, project: carried(call, row), user, now, log: call.service.log });
    refuseWeakRole(await roleOfCaller(tx, projectId, call), role);
    const change = changeOf(found(rows.get(projectId)));
    const [other, otherRole] = [rows.get(otherId), await roleOfCaller(tx, otherId, call)];
    if (!other || otherRole === undefined) throw noOtherProject(otherId);
    refuseWeakRole(otherRole, role);
    return work(change, changeOf(other));
  });
}

function noOtherProject(id: number): Error {
  return unprocessable(`There is no project ${id}, or you are not a member of it.`);
}

/** Throws `Refusal` 404 for who is not a member, 403 when the role is too weak (protocol.md, Status codes). */
export async function requireRole(tx: Tx, projectId: number, user: UserRow, needed: Role): Promise<void> {
  refuseWeakRole(await roleIn(tx, projectId, user.id), needed);
}

/** Asks for role and token at once, so that a change costs no more for it. */
async function roleOfCaller(tx: Tx, projectId: number, { user, tokenHash }: Caller): Promise<string | undefined> {
  if (tokenHash === undefined) return roleIn(tx, projectId, user.id);
  const role = await roleByToken(tx, projectId, tokenHash);
  if (role === undefined) await requireToken(tx, tokenHash);
  return role;
}

function refuseWeakRole(role: string | undefined, needed: Role): void {
  if (role === undefined) throw noProject();
  if (needed === 'Viewer' || role === 'Owner' || role === needed) return;
  throw forbidden(
    needed === 'Owner'
      ? 'Only an owner of the project can do this.'
      : `You are a ${role} of this project. Only members and owners can change it.`,
  );
}

/** The user's projects, without those that this line may not carry. */
export async function projectsOfCaller(tx: Tx, { user, isPrivate }: Pick<Caller, 'user' | 'isPrivate'>) {
  const projects = await projectsOfUser(tx, user.id);
  return projects.filter(({ useHttps }) => isPrivate || useHttps === 0);
}

/** A query for the ids of the same projects. */
export function projectIdsOfCaller(tx: Tx, { user, isPrivate }: Pick<Caller, 'user' | 'isPrivate'>) {
  const ids = projectIdsOfUser(tx, user.id);
  return isPrivate ? ids : ids.where('projects.useHttps', '=', 0);
}

/** The project itself. Throws `Refusal` 403 where it may only be talked of over TLS and this is a clear line. */
export function carried<P extends Pick<ProjectRow, 'useHttps'>>(
  { isPrivate }: Pick<Caller, 'isPrivate'>,
  project: P,
): P {
  if (project.useHttps === 0 || isPrivate) return project;
  throw forbidden('This project requires HTTPS. Use TLS, or connect from the machine that runs the service.');
}

function found(project: ProjectRow | undefined): ProjectRow {
  if (!project) throw noProject();
  return project;
}

export function noProject(): Error {
  return notFound('There is no such project, or you are not a member of it.');
}
