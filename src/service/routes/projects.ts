import { MAX_PROJECTS_AN_HOUR } from '../../core/limits.ts';
import { readNewProject } from '../../v3/newProject.ts';
import { longProjects, projectElement } from '../../v3/project.ts';
import { projectsOfCaller } from '../auth/projectAccess.ts';
import { requireToken } from '../auth/tokenAccess.ts';
import { projectOf } from '../cache/projectOf.ts';
import { readElement } from '../call/bodies.ts';
import { type Call, param } from '../call/exchange.ts';
import { tooMany } from '../ground/errors.ts';
import { elementReply, type Reply, xmlReply } from '../http/reply.ts';
import { countUse } from '../store/people/recentUses.ts';
import { createProject } from '../useCases/createProject.ts';

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
  const wanted = readNewProject(await readElement(call, 'project'));
  const row = await service.database.write(async (tx) => {
    await requireToken(tx, tokenHash);
    const wait = await countUse(tx, user.id, 'project', MAX_PROJECTS_AN_HOUR, now);
    if (wait > 0) throw tooMany(`You can make at most ${MAX_PROJECTS_AN_HOUR} projects an hour.`, wait);
    return createProject(tx, user, wanted, now);
  });
  const project = await service.database.read(async (tx) => projectOf(tx, await service.views.get(tx, row, now)));
  return elementReply(projectElement(project));
}
