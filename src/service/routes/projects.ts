import { MAX_PROJECTS_AN_HOUR } from '../../core/limits.ts';
import type { NewProject } from '../../core/story/project.ts';
import type { ProjectEdit } from '../../core/story/projectSettings.ts';
import { DRY_RUN_PARAMETER, WEB_HOOK_URL_ELEMENT } from '../../v3/assumptions.ts';
import { zonedDate } from '../../v3/dates.ts';
import type { Element } from '../../v3/element.ts';
import { readIntegrationEdit, readNewIntegration, settingsIntegrationElement } from '../../v3/integration.ts';
import {
  membershipElement,
  membershipListElement,
  namedMembershipElement,
  readMembershipEdit,
  readNewMembership,
} from '../../v3/membership.ts';
import { readNewProject } from '../../v3/newProject.ts';
import { longProjects, projectElement } from '../../v3/project.ts';
import {
  ownSettingsElement,
  planChangeElement,
  projectSettingsElement,
  readProjectEdit,
  settingsMemberElement,
} from '../../v3/projectSettings.ts';
import { writeDocument } from '../../v3/write.ts';
import { invitationPath } from '../auth/invitations.ts';
import {
  type Change,
  changeProject,
  projectIdsOfCaller,
  projectsOfCaller,
  readInProject,
  requireToken,
} from '../auth/projectAccess.ts';
import { projectOf } from '../cache/wholeProject.ts';
import { readElement } from '../call/bodies.ts';
import { type Call, type Exchange, param } from '../call/exchange.ts';
import { tooMany, UsageError, unprocessable } from '../ground/errors.ts';
import { elementReply, isConditional, partlyTaggedReply, type Reply, requireMatch, xmlReply } from '../http/reply.ts';
import type { Tx } from '../store/database.ts';
import { countUse } from '../store/people/recentUses.ts';
import { membershipsIn, membershipsOfProject } from '../store/projects/memberships.ts';
import type { ProjectRow } from '../store/projects/projects.ts';
import { createIntegration, editIntegration, removeIntegration } from '../useCases/integrations.ts';
import {
  addInvitedMember,
  changeRoleAsOwner,
  countAddition,
  giveNameTo,
  memberAsNamed,
  membershipToRemove,
  noMembership,
  removeMembershipAs,
} from '../useCases/memberships.ts';
import { createProject, editProject, planAfter, type SettingsEdit, settingsOf } from '../useCases/projects.ts';
import { readWebHookUrl } from '../webHooks/receiverRules.ts';

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

/** Whether a request asks what it would do, and is not to do it. */
export function isDryRun({ query }: Pick<Exchange, 'query'>): boolean {
  return ['true', '1'].includes(query.get(DRY_RUN_PARAMETER) ?? '');
}

export async function getSettings(call: Call): Promise<Reply> {
  const projectId = param(call, 'projectId');
  return settingsReply(await readInProject(call, projectId, (tx, project) => settingsOf(tx, project, call.user)));
}

function settingsReply(settings: Awaited<ReturnType<typeof settingsOf>>): Reply {
  return partlyTaggedReply(projectSettingsElement(settings), ownSettingsElement(settings));
}

/** A dry run answers what would become of the plan. */
export async function putProject(call: Call): Promise<Reply> {
  const edit = settingsEdit(await readElement(call, 'project', readProjectEdit));
  const projectId = param(call, 'projectId');
  if (isDryRun(call)) {
    const planned = await readInProject(call, projectId, async (tx, project) => {
      await requireSettingsAsRead(call, tx, project);
      return planAfter(tx, project, call.user, edit, call.now);
    });
    return elementReply(planChangeElement(planned));
  }
  const settings = await changeProject(call, projectId, 'Owner', async (change) => {
    await requireSettingsAsRead(call, change.tx, change.project);
    return settingsOf(change.tx, await editProject(change, edit), call.user);
  });
  return settingsReply(settings);
}

/** Throws `Refusal` 412 where the settings are not as the caller read them. */
async function requireSettingsAsRead(call: Call, tx: Tx, project: ProjectRow): Promise<void> {
  const { headers } = call.request;
  if (!isConditional(headers)) return;
  requireMatch(headers, writeDocument(ownSettingsElement(await settingsOf(tx, project, call.user))));
}

function settingsEdit({ webHookUrl, ...edit }: ProjectEdit): SettingsEdit {
  return webHookUrl === undefined ? edit : { ...edit, webHook: webHookOf(webHookUrl) };
}

function webHookOf(given: string): NonNullable<SettingsEdit['webHook']> {
  try {
    return { url: readWebHookUrl(given) };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { objection: { field: WEB_HOOK_URL_ELEMENT, sentence: error.message } };
  }
}

export async function postIntegration(call: Call): Promise<Reply> {
  const wanted = await readElement(call, 'integration', readNewIntegration);
  const added = await changeProject(call, param(call, 'projectId'), 'Owner', (change) =>
    createIntegration(change, wanted),
  );
  return elementReply(settingsIntegrationElement(added));
}

export async function putIntegration(call: Call): Promise<Reply> {
  const edit = await readElement(call, 'integration', readIntegrationEdit);
  const changed = await changeProject(call, param(call, 'projectId'), 'Owner', (change) =>
    editIntegration(change, param(call, 'integrationId'), edit),
  );
  return elementReply(settingsIntegrationElement(changed));
}

export async function deleteIntegration(call: Call): Promise<Reply> {
  const removed = await changeProject(call, param(call, 'projectId'), 'Owner', (change) =>
    removeIntegration(change, param(call, 'integrationId')),
  );
  return elementReply(settingsIntegrationElement(removed));
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
  const ways = { mailsAreSent: call.service.mails.areSent, isPrivate: call.isPrivate };
  const { membership, invitation } = await changeProject(call, projectId, 'Owner', (change) =>
    addInvitedMember(change, wanted, ways),
  );
  if (!invitation) return elementReply(membershipElement(membership));
  const { token, expiresAt, isMailed: mailed } = invitation;
  const link = token !== undefined && { url: call.base + invitationPath(token) };
  const told = { ...link, expiresAt: zonedDate(expiresAt), mailed };
  return elementReply(membershipElement({ ...membership, invitation: told }));
}

/** Gives a member another role, or a name that stories have; a dry run tells how many stories these are. */
export async function putMembership(call: Call): Promise<Reply> {
  const { role, keptName } = await readElement(call, 'membership', readMembershipEdit);
  const [projectId, membershipId] = [param(call, 'projectId'), param(call, 'membershipId')];
  if (keptName !== undefined && role !== '') throw unprocessable('Change the role and match a name in two requests.');
  if (keptName === undefined) {
    if (isDryRun(call)) throw unprocessable('There is no dry run of a change of role. Leave out dry_run to change it.');
    const give = (change: Change) => changeRoleAsOwner(change, membershipId, role);
    return elementReply(membershipElement(await changeProject(call, projectId, 'Owner', give)));
  }
  const { user } = call;
  const named = isDryRun(call)
    ? await readInProject(call, projectId, (tx, project) =>
        memberAsNamed({ tx, project, user }, membershipId, keptName),
      )
    : await changeProject(call, projectId, 'Owner', (change) => giveNameTo(change, membershipId, keptName));
  return elementReply(namedMembershipElement(named.membership, named.stories));
}

/** Tells what the member owns; a dry run tells that alone. */
export async function deleteMembership(call: Call): Promise<Reply> {
  const [projectId, membershipId] = [param(call, 'projectId'), param(call, 'membershipId')];
  const { user } = call;
  const membership = isDryRun(call)
    ? await readInProject(call, projectId, (tx, project) => membershipToRemove({ tx, project, user }, membershipId))
    : await changeProject(call, projectId, 'Viewer', (change) => removeMembershipAs(change, membershipId));
  return elementReply(settingsMemberElement(membership));
}
