import assert from 'node:assert/strict';
import { userByEmail } from '../../src/service/store/people/users.ts';
import { addMember, newProject } from './support/project.ts';
import { type Answer, assertRefused, assertStatus, idOf, textOf, texts } from './support/request.ts';
import { runService } from './support/serviceProcess.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

describe('people who are added to projects', () => {
  let now = Date.UTC(2026, 2, 2, 9);
  let service: TestService;
  let ada: TestUser;
  let vera: TestUser;
  let projectId: number;

  beforeEach(async () => {
    service = await startTestService({ clock: () => now });
    ada = await service.user('Ada Lovelace');
    vera = await service.user('Vera Rubin');
    projectId = await newProject(ada);
  });
  afterEach(() => service.stop());

  const members = () => `/projects/${projectId}/memberships`;
  const add = (email: string, more = '', by = ada): Promise<Answer> =>
    by.post(members(), `<membership>${more}<person><email>${email}</email><name>Made Up</name></person></membership>`);
  const rule = async (...args: readonly string[]) => runService(['rule', ...args, '--data', service.folder]);
  const names = async () => texts(await ada.get(members()), 'name').filter((name) => name !== 'Apollo');

  it('are users already where an administrator wants it so: nobody is registered unasked', async () => {
    await rule('set', 'adding-people', 'users');
    assert.equal(textOf(await add('VERA.Rubin@example.org'), 'name'), 'Vera Rubin');
    assertRefused(
      await add('eve@example.com'),
      422,
      /no user with the address eve@example\.com\. Ask an administrator/,
    );
    assert.equal(await service.running.database.read((tx) => userByEmail(tx, 'eve@example.com')), undefined);
    assert.deepEqual(await names(), ['Ada Lovelace', 'Vera Rubin']);
  });

  it('are whom the rule of the service allows, from the moment on in which it is set', async () => {
    assert.equal((await rule('list')).stdout, 'adding-people\tanyone\tanyone|users|administrators\n');
    assert.equal(textOf(await add('eve@example.com'), 'name'), 'Made Up');
    assert.equal((await rule('set', 'adding-people', 'users')).stdout, 'adding-people is now users.\n');
    assertStatus(await add('new@example.com'), 422);
    const set = await rule('set', 'adding-people', 'administrators', '--json');
    assert.deepEqual(JSON.parse(set.stdout), { name: 'adding-people', value: 'administrators' });
    for (const email of [vera.email, 'new@example.com']) {
      assertRefused(await add(email), 403, /Only an administrator of this service can add people/);
    }
    assert.equal(textOf(await add('eve@example.com', '<role>Viewer</role>'), 'role'), 'Viewer');
    const byHand = [
      'project',
      'member',
      '--project',
      String(projectId),
      '--email',
      vera.email,
      '--data',
      service.folder,
    ];
    assert.equal((await runService(byHand)).code, 0);
    assert.deepEqual(await names(), ['Ada Lovelace', 'Made Up', 'Vera Rubin']);
    const [listed] = JSON.parse((await rule('list', '--json')).stdout);
    assert.deepEqual([listed.name, listed.value, listed.values.length], ['adding-people', 'administrators', 3]);
  });

  it('are under no rule that there is not', async () => {
    const [noRule, noValue] = [await rule('set', 'adding', 'users'), await rule('set', 'adding-people', 'friends')];
    assert.deepEqual([noRule.code, noValue.code], [2, 2]);
    assert.match(noRule.stderr, /Unknown rule .*The rules are adding-people/);
    assert.match(noValue.stderr, /one of anyone, users, administrators/);
  });

  it('can always leave, whatever their role, and remove nobody else', async () => {
    const mary = await service.user('Mary Somerville');
    const marys = await addMember(ada, projectId, mary, 'Member');
    const veras = await addMember(ada, projectId, vera, 'Viewer');
    for (const by of [vera, mary]) {
      assertRefused(await by.delete(`${members()}/${by === vera ? marys : veras}`), 403, /Only an owner/);
      assertRefused(await by.delete(`${members()}/999999`), 403, /Only an owner/);
    }
    assert.equal(textOf(await vera.delete(`${members()}/${veras}`), 'name'), 'Vera Rubin');
    assertStatus(await vera.get(members()), 404);
    assertStatus(await mary.delete(`${members()}/${marys}`), 200);
    const own = idOf(await ada.get(members()));
    assertRefused(await ada.delete(`${members()}/${own}`), 422, /only owner of the project/);
    assert.deepEqual(await names(), ['Ada Lovelace']);
  });

  it('are not tried out by the hundred, nor named so', async () => {
    await rule('set', 'adding-people', 'users');
    assertStatus(await add(vera.email), 200);
    for (let index = 1; index < 60; index += 1) assertStatus(await add(`nobody${index}@example.org`), 422);
    const refused = await add('one.more@example.org');
    assertRefused(refused, 429, /at most 60 people an hour to projects\. Try again in 3600 s/);
    assert.equal(refused.headers.get('retry-after'), '3600');
    const mary = await service.user('Mary Somerville');
    assertStatus(await add(mary.email), 429);
    assertStatus(await add(vera.email, '<role>Owner</role>'), 200);
    assertStatus(await add(mary.email, '', vera), 200);
    now += 60 * 60 * 1000;
    assertStatus(await add('late@example.org'), 422);
  });

  it('are not counted by a clock that was ahead for a moment', async () => {
    await rule('set', 'adding-people', 'users');
    now += 48 * 60 * 60 * 1000;
    for (let index = 0; index < 60; index += 1) assertStatus(await add(`nobody${index}@example.org`), 422);
    now -= 48 * 60 * 60 * 1000;
    assertStatus(await add(vera.email), 200);
  });
});
