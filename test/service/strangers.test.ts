import assert from 'node:assert/strict';
import { type EndpointName, endpoints } from '../../src/v3/endpoints.ts';
import { newIntegration, newProject, newStory } from './support/project.ts';
import { type Answer, assertNotFound, assertRefused, assertStatus, idOf, request, texts } from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

/** What is nowhere in an answer to someone else. */
const SECRET = 'Lighthouse';

interface Ids {
  readonly projectId: number;
  readonly storyId: number;
  readonly taskId: number;
  readonly attachmentId: number;
  readonly membershipId: number;
  readonly integrationId: number;
}

const names = Object.keys(endpoints) as EndpointName[];
const inProject = names.filter((name) => endpoints[name].path.includes(':projectId'));
const belowProject = inProject.filter((name) => endpoints[name].path.split(':').length > 2);

describe('the data of one project', () => {
  let service: TestService;
  let ada: TestUser;
  let bob: TestUser;
  let hers: Ids;
  let his: Ids;
  let untouched: readonly string[];

  before(async () => {
    service = await startTestService();
    ada = await service.user('Ada');
    bob = await service.user('Bob');
    hers = await newData(ada, SECRET);
    his = await newData(bob, 'Pier');
    untouched = await dataOf(ada, hers);
  });
  after(() => service.stop());
  afterEach(async () => assert.deepEqual(await dataOf(ada, hers), untouched));

  async function newData(user: TestUser, name: string): Promise<Ids> {
    const projectId = await newProject(user, name);
    const storyId = await newStory(user, projectId, name);
    const story = `/projects/${projectId}/stories/${storyId}`;
    const taskId = idOf(await user.post(`${story}/tasks`, `<task><description>${name}</description></task>`));
    const attachmentId = idOf(await attach(user, story, name));
    const membershipId = idOf(await user.get(`/projects/${projectId}/memberships`));
    const integrationId = await newIntegration(user, projectId, name);
    return { projectId, storyId, taskId, attachmentId, membershipId, integrationId };
  }

  function attach(user: TestUser, story: string, name: string): Promise<Answer> {
    const form = new FormData();
    form.set('Filedata', new Blob([name]), `${name}.txt`);
    return user.post(`${story}/attachments`, form);
  }

  async function dataOf(user: TestUser, { projectId }: Ids): Promise<readonly string[]> {
    const paths = ['', '/stories', '/memberships', '/settings', '/activities?limit=100'];
    return Promise.all(paths.map(async (path) => (await user.get(`/projects/${projectId}${path}`)).text));
  }

  /** Asks as well-formed as can be, so that nothing but who asks is wrong. */
  function ask(name: EndpointName, ids: Ids): Promise<Answer> {
    const { method, path } = endpoints[name];
    const values = new Map<string, number>(Object.entries(ids));
    const filled = path.replace(/:(\w+)/g, (_, id: string) => String(values.get(id)));
    if (name === 'uploadAttachment') return attach(bob, filled.replace('/attachments', ''), 'x');
    if (method === 'GET') return bob.get(filled);
    if (method === 'DELETE') return bob.delete(filled);
    const query = name === 'moveStory' ? `?move[move]=before&move[target]=${his.storyId}` : '';
    const root = path.includes('notes') ? 'note' : path.includes('tasks') ? 'task' : rootOf(path);
    const fields = ['story', 'project', 'integration'].includes(root)
      ? '<name>x</name>'
      : '<text>x</text><description>x</description><email>x@y</email>';
    return method === 'PUT'
      ? bob.put(filled + query, `<${root}>${fields}</${root}>`)
      : bob.post(filled + query, query === '' ? `<${root}>${fields}</${root}>` : undefined);
  }

  function rootOf(path: string): string {
    if (path.includes('memberships')) return 'membership';
    if (path.includes('integrations')) return 'integration';
    return path.includes('stories') ? 'story' : 'project';
  }

  for (const name of inProject) {
    it(`is not there for others: ${name}`, async () => {
      const answer = await ask(name, hers);
      assertNotFound(answer);
      assert.doesNotMatch(answer.text, new RegExp(SECRET));
    });
  }

  for (const name of belowProject) {
    it(`is not reached through a project of one's own: ${name}`, async () => {
      const answer = await ask(name, { ...hers, projectId: his.projectId });
      assertStatus(answer, 404);
      assert.doesNotMatch(answer.text, new RegExp(SECRET));
    });
  }

  it("is not reached through a story of one's own", async () => {
    const own = await newStory(bob, his.projectId, 'Another');
    for (const ids of [hers, his]) {
      const path = `/projects/${his.projectId}/stories/${own}`;
      assertStatus(await bob.get(`${path}/tasks/${ids.taskId}`), 404);
      assertStatus(await bob.put(`${path}/tasks/${ids.taskId}`, '<task><complete>true</complete></task>'), 404);
      assertStatus(await bob.delete(`${path}/tasks/${ids.taskId}`), 404);
      assertStatus(await bob.get(`${path}/attachments/${ids.attachmentId}`), 404);
    }
    assert.deepEqual(texts(await bob.get(`/projects/${his.projectId}/stories/${his.storyId}/tasks`), 'complete'), [
      'false',
    ]);
  });

  it('is neither a target, nor named by a commit, nor in a list over all projects', async () => {
    const story = `/projects/${his.projectId}/stories/${his.storyId}`;
    const moved = await bob.post(`${story}/moves?move[move]=before&move[target]=${hers.storyId}`);
    assertRefused(moved, 422, /not in this project/);
    const message = `<message>[fixes #${hers.storyId}]</message><commit_id>c</commit_id>`;
    const linked = await bob.post('/source_commits', `<source_commit>${message}</source_commit>`);
    assert.deepEqual(texts(linked, 'noted_at'), []);
    const lists = [await bob.get('/activities?limit=100'), await bob.get('/projects'), await bob.get('/memberships')];
    for (const { text } of [moved, linked, ...lists]) assert.doesNotMatch(text, new RegExp(SECRET));
  });

  it('is not had by a download address that was made for another file', async () => {
    const path = `/projects/${his.projectId}/stories/${his.storyId}/attachments/${his.attachmentId}`;
    const [url = ''] = texts(await bob.get(path), 'url').map((address) => address.replaceAll('&amp;', '&'));
    assertStatus(await request(url), 200);
    assertStatus(await request(url.replace(`/${his.attachmentId}?`, `/${hers.attachmentId}?`)), 404);
  });
});
