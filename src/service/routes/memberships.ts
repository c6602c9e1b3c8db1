import { membershipElement, membershipListElement, readNewMembership } from '../../v3/membership.ts';
import { changeProject, projectIdsOfCaller, readInProject } from '../auth/projectAccess.ts';
import { readElement } from '../call/bodies.ts';
import { type Call, param } from '../call/exchange.ts';
import { elementReply, type Reply } from '../http/reply.ts';
import { membershipsIn, membershipsOfProject } from '../store/projects/memberships.ts';
import { addMembershipAsOwner, countAddition, noMembership, removeMembershipAs } from '../useCases/memberships.ts';

/** The user's own memberships, without those in projects that this line may not carry. */
export async function listMyMemberships(call: Call): Promise<Reply> {
  const memberships = await call.service.database.read((tx) =>
    membershipsIn(tx, call.user.id, projectIdsOfCaller(tx, call)),
  );
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
  const projectId = param(call, 'projectId');
  await countAddition(call, projectId, wanted);
  const membership = await changeProject(call, projectId, 'Owner', (change) => addMembershipAsOwner(change, wanted));
  return elementReply(membershipElement(membership));
}

export async function deleteMembership(call: Call): Promise<Reply> {
  const membership = await changeProject(call, param(call, 'projectId'), 'Viewer', (change) =>
    removeMembershipAs(change, param(call, 'membershipId')),
  );
  return elementReply(membershipElement(membership));
}
