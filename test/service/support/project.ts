import { idOf, texts } from './request.ts';
import type { TestUser } from './testService.ts';

export async function newProject(user: TestUser, name = 'Apollo', more = ''): Promise<number> {
  return idOf(await user.post('/projects', `<project><name>${name}</name>${more}</project>`));
}

export async function newStory(user: TestUser, projectId: number, name: string, more = ''): Promise<number> {
  return idOf(await user.post(`/projects/${projectId}/stories`, `<story><name>${name}</name>${more}</story>`));
}

/** Stories in the backlog, one after the other. */
export async function newBacklog(user: TestUser, projectId: number, names: readonly string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const name of names) {
    ids.push(await newStory(user, projectId, name, '<current_state>unstarted</current_state>'));
  }
  return ids;
}

/** The names of a project's stories in priority order. */
export async function storyNames(user: TestUser, projectId: number, query = ''): Promise<string[]> {
  return texts(await user.get(`/projects/${projectId}/stories${query}`), 'name');
}

export async function newIntegration(owner: TestUser, projectId: number, name = 'Issues', more = ''): Promise<number> {
  const body = `<integration><name>${name}</name>${more}</integration>`;
  return idOf(await owner.post(`/projects/${projectId}/integrations`, body));
}

/** Gives `to` a role in the project. */
export async function addMember(owner: TestUser, projectId: number, to: TestUser, role: string): Promise<number> {
  const person = `<person><email>${to.email}</email><name>${to.name}</name></person>`;
  return idOf(
    await owner.post(`/projects/${projectId}/memberships`, `<membership><role>${role}</role>${person}</membership>`),
  );
}
