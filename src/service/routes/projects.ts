import { readNewProject } from '../../v3/newProject.ts';
import { projectElement, projectsElement } from '../../v3/project.ts';
import { projectsOfCaller } from '../auth/projectAccess.ts';
import { readElement } from '../http/bodies.ts';
import { type Call, param } from '../http/exchange.ts';
import { elementReply, type Reply } from '../http/reply.ts';
import { createProject } from '../useCases/createProject.ts';
import { projectOf } from './projectOf.ts';

export async function listProjects(call: Call): Promise<Reply> {
  const { service, now } = call;
  const projects = await service.database.read(async (tx) => {
    const rows = await projectsOfCaller(tx, call);
    const views = [];
    for (const row of rows) views.push(await projectOf(tx, await service.views.get(tx, row, now)));
    return views;
  });
  return elementReply(projectsElement(projects));
}

export async function getProject(call: Call): Promise<Reply> {
  return call.service.answers.reply(call, param(call, 'projectId'), async (view, tx) =>
    projectElement(await projectOf(tx, view)),
  );
}

export async function postProject(call: Call): Promise<Reply> {
  const { service, user, now } = call;
  const wanted = readNewProject(await readElement(call, 'project'));
  const row = await service.database.write((tx) => createProject(tx, user, wanted, now));
  const project = await service.database.read(async (tx) => projectOf(tx, await service.views.get(tx, row, now)));
  return elementReply(projectElement(project));
}
