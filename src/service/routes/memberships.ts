import { membershipElement, membershipListElement, readNewMembership } from '../../v3/membership.ts';
import { changeProject, readInProject } from '../auth/projectAccess.ts';
import { readElement } from '../http/bodies.ts';
import { type Call, param } from '../http/exchange.ts';
import { elementReply, type Reply } from '../http/reply.ts';
import { membershipsOfProject, membershipsOfUser } from '../store/memberships.ts';
import { addMembership, noMembership, removeMembership } from '../useCases/memberships.ts';

/** The user's own memberships. */
export async function listMyMemberships(call: Call): Promise<Reply> {
  const memberships = await call.service.database.read((tx) => membershipsOfUser(tx, call.user.id));
  return elementReply(membershipListElement(memberships));
}

export async function listMemberships(call: Call): Promise<Reply> {
  const projectId = param(call, 'projectId');
  const memberships = await readInProject(call, projectId, (tx) => membershipsOfProject(tx, projectId));
  return elementReply(membershipListElement(memberships));
}

export async function getMembership(call: Call): Promise<Reply> {
  const [projectId, membershipId] = [param(call, 'projectId'), param(call, 'membershipId')];
  const memberships = await readInProject(call, projectId, (tx) => membershipsOfProject(tx, projectId));
  const membership = memberships.find(({ id }) => id === membershipId);
  if (!membership) throw noMembership(membershipId);
  return elementReply(membershipElement(membership));
}

export async function postMembership(call: Call): Promise<Reply> {
  const wanted = readNewMembership(await readElement(call, 'membership'));
  const membership = await changeProject(call, param(call, 'projectId'), 'Owner', (change) =>
    addMembership(change, wanted),
  );
  return elementReply(membershipElement(membership));
}

export async function deleteMembership(call: Call): Promise<Reply> {
  const membership = await changeProject(call, param(call, 'projectId'), 'Owner', (change) =>
    removeMembership(change, param(call, 'membershipId')),
  );
  return elementReply(membershipElement(membership));
}
