import assert from 'node:assert/strict';
import { hashPassword } from '../../src/service/auth/password.ts';
import { TrustedProxies } from '../../src/service/http/clientAddress.ts';
import { addUser } from '../../src/service/store/people/users.ts';
import { ownAddress } from './support/ownAddress.ts';
import { newProject, newStory } from './support/project.ts';
import { assertRefused, assertStatus, idOf, request, textOf, texts } from './support/request.ts';
import { startTestService, type TestService, type TestUser, userOf } from './support/testService.ts';

describe('over a network in the clear', () => {
  let service: TestService;
  let ada: TestUser;
  /** The same user, by way of the network. */
  let far: TestUser;
  let farUrl: string;

  before(async function () {
    const address = ownAddress();
    if (address === undefined) return this.skip();
    service = await startTestService({ host: '0.0.0.0' });
    const { port } = new URL(service.url);
    farUrl = `http://${address}:${port}`;
    const near = await service.user('Ada Lovelace');
    ada = userOf(`http://127.0.0.1:${port}`, near.name, near.email, near.token);
    far = userOf(farUrl, near.name, near.email, near.token);
  });
  after(() => service?.stop());

  it('no password is taken, whether it is right or not', async () => {
    const password = await hashPassword('correct horse');
    await service.running.database.write((tx) => addUser(tx, { name: 'Bo', email: 'bo@example.org', password }, 0));
    const body = new URLSearchParams({ username: 'bo@example.org', password: 'correct horse' }).toString();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const form = { method: 'POST', body, headers };
    const basic = {
      headers: { Authorization: `Basic ${Buffer.from('bo@example.org:correct horse').toString('base64')}` },
    };
    for (const login of [form, basic]) {
      assertRefused(await request(`${farUrl}/services/v3/tokens/active`, login), 403, /over TLS or on this machine/);
      const near = await request(
        `${new URL(service.url).protocol}//127.0.0.1:${new URL(farUrl).port}/services/v3/tokens/active`,
        login,
      );
      assert.match(textOf(near, 'guid'), /^[\w-]{40}$/);
    }
  });

  it('a project that is set to use HTTPS neither shows nor takes anything, and others do', async () => {
    const open = await newProject(ada, 'Open');
    const closed = await newProject(ada, 'Closed', '<use_https>true</use_https>');
    const [openId, id] = [await newStory(ada, open, 'Seen'), await newStory(ada, closed, 'Unseen')];
    const project = `/projects/${closed}`;
    const story = `${project}/stories/${id}`;
    const form = new FormData();
    form.set('Filedata', new Blob(['x']), 'x.txt');
    const attachment = idOf(await ada.post(`${story}/attachments`, form));
    const commit = `<source_commit><message>[#${id}]</message><author>A</author><commit_id>1</commit_id></source_commit>`;
    assertStatus(await ada.get(`${project}/iterations/current_backlog`), 200);
    const refused = {
      project: await far.get(project),
      keptAnswer: await far.get(`${project}/iterations/current_backlog`),
      stories: await far.get(`${project}/stories`),
      story: await far.get(story),
      edit: await far.put(story, '<story><name>x</name></story>'),
      comment: await far.post(`${story}/notes`, '<note><text>x</text></note>'),
      attachment: await far.get(`${story}/attachments/${attachment}`),
      activities: await far.get(`${project}/activities`),
      moveAway: await far.put(story, `<story><project_id>${open}</project_id></story>`),
      moveThere: await far.put(
        `/projects/${open}/stories/${openId}`,
        `<story><project_id>${closed}</project_id></story>`,
      ),
      commit: await far.post('/source_commits', commit),
    };
    for (const [name, answer] of Object.entries(refused)) {
      assertRefused(answer, 403, /requires HTTPS/);
      assert.equal(answer.text.includes('Unseen'), false, name);
    }
    const url = textOf(await ada.get(`${story}/attachments/${attachment}`), 'url').replaceAll('&amp;', '&');
    assertStatus(await request(url), 200);
    assertRefused(await request(farUrl + new URL(url).pathname + new URL(url).search), 403, /requires HTTPS/);
    assert.deepEqual(texts(await far.get('/projects'), 'use_https'), ['false']);
    assert.equal(texts(await ada.get('/projects'), 'use_https').length, 2);
    const namesIn = async (user: TestUser) => (await user.get('/memberships')).text.match(/<name>(?:Open|Closed)</g);
    assert.deepEqual(await namesIn(far), ['<name>Open<']);
    assert.deepEqual(await namesIn(ada), ['<name>Open<', '<name>Closed<']);
    assert.deepEqual(new Set(texts(await far.get('/activities?limit=100'), 'project_id')), new Set([String(open)]));
    assert.equal(textOf(await far.get(`/projects/${open}/stories/${openId}`), 'name'), 'Seen');
    assert.equal(textOf(await ada.get(story), 'name'), 'Unseen');
    assert.deepEqual(texts(await ada.get(`${story}/notes`), 'text'), []);
  });
});

describe('behind a proxy that is reached over TLS and in the clear', () => {
  it('nothing that was told over TLS is told again in the clear', async () => {
    const publicUrl = 'https://tracker.example.org';
    const service = await startTestService({ publicUrl, trustedProxies: ['127.0.0.1'] });
    const ada = await service.user('Ada Lovelace');
    const closed = await newProject(ada, 'Closed', '<use_https>true</use_https>');
    await newStory(ada, closed, 'Unseen');
    const asked = (path: string, scheme: string) => {
      const headers = { 'X-Forwarded-For': '203.0.113.7', 'X-Forwarded-Proto': scheme };
      return request(`${service.url}/services/v3${path}`, { token: ada.token, headers });
    };
    const paths = ['/projects', '/memberships', '/activities', `/projects/${closed}`, `/projects/${closed}/stories`];
    for (const path of [...paths, `/projects/${closed}/activities`]) {
      assert.match((await asked(path, 'https')).text, /Unseen|Closed/, path);
      assert.doesNotMatch((await asked(path, 'http')).text, /Unseen|Closed/, path);
    }
    await service.stop();
  });
});

describe('a line is private', () => {
  const line = (remoteAddress: string | undefined, more = {}) =>
    new TrustedProxies([]).senderOf({
      headers: {},
      socket: Object.assign(Object.create(null), { remoteAddress, ...more }),
    }).isPrivate;

  it('on this machine and over TLS, and nowhere else', () => {
    for (const address of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])
      assert.equal(line(address), true, address);
    for (const address of ['192.0.2.7', '::ffff:192.0.2.7', '2001:db8::1', '', undefined]) {
      assert.equal(line(address), false, address);
      assert.equal(line(address, { encrypted: true }), true, address);
    }
  });
});
