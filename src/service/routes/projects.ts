import { MAX_PROJECTS_AN_HOUR } from '../../core/limits.ts';
import type { NewProject } from '../../core/story/project.ts';
import type { Element } from '../../v3/element.ts';
import { membershipElement, membershipListElement, readNewMembership } from '../../v3/membership.ts';
import { readNewProject } from '../../v3/newProject.ts';
import { longProjects, projectElement } from '../../v3/project.ts';
import {
  changeProject,
  projectIdsOfCaller,
  projectsOfCaller,
  readInProject,
  requireToken,
} from '../auth/projectAccess.ts';
import { projectOf } from '../cache/wholeProject.ts';
import { readElement } from '../call/bodies.ts';
import { type Call, param } from '../call/exchange.ts';
import { tooMany } from '../ground/errors.ts';
import { elementReply, type Reply, xmlReply } from '../http/reply.ts';
import { countUse } from '../store/people/recentUses.ts';
import { membershipsIn, membershipsOfProject } from '../store/projects/memberships.ts';
import { addMembershipAsOwner, countAddition, noMembership, removeMembershipAs } from '../useCases/memberships.ts';
import { createProject } from '../useCases/projects.ts';

export async function listProjects(call: Call): Promise<Reply> {
  const { service, user, now, stamp, tokenHash } = call;
  const all = await service.database.read(async (tx) => {
    return service.facts.of(tx, await projectsOfCaller(tx, call), now);
  });
  const projects = all.map(({ project }) => project);
  const make = async () => longProjects(projects);
  const body = (await service.long.whole(user.id, make)) ?? (await service.long.body(user.id, false, make));
  const validFrom = all.reduce((last, facts) => Math.max(last, facts.validFrom), 0);
  const validUntil = all.reduce((first, facts) => Math.min(first, facts.validUntil), Number.POSITIVE_INFINITY);
  return { ...xmlReply(body), goodFor: { stamp, validFrom, validUntil, reader: { tokenHash, projectId: undefined } } };
}

export async function getProject(call: Call): Promise<Reply> {
  return call.service.answers.reply(call, param(call, 'projectId'), async (view, tx) =>
    projectElement(await projectOf(tx, view)),
  );
}

export async function postProject(call: Call): Promise<Reply> {
  const { service, user, now, tokenHash } = call;
  const wanted = await readElement(call, 'project', readWanted);
  const row = await service.database.write(async (tx) => {
    await requireToken(tx, tokenHash);
    const wait = await countUse(tx, user.id, 'project', MAX_PROJECTS_AN_HOUR, now);
    if (wait > 0) throw tooMany(`You can make at most ${MAX_PROJECTS_AN_HOUR} projects an hour.`, wait);
    return createProject(tx, user, wanted, now);
  });
  const project = await service.database.read(async (tx) => projectOf(tx, await service.views.get(tx, row, now)));
  return elementReply(projectElement(project));
}

/** A scale that falls ends where it does, for the rules to refuse. */
function readWanted(element: Element): NewProject {
  const wanted = readNewProject(element);
  const { pointScale = [] } = wanted;
  const end = pointScale.findIndex((value, index) => index > 0 && !(value > (pointScale[index - 1] ?? 0)));
  return end < 0 ? wanted : { ...wanted, pointScale: pointScale.slice(0, end + 1) };
}

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
  const wanted = await readElement(call, 'membership', readNewMembership);
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
