import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { runCommand } from '../../src/service/commandLine/runCommand.ts';
import { newProject } from './support/project.ts';
import { assertRefused, assertStatus, request } from './support/request.ts';
import { describeOnSqlite } from './support/testDatabase.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

describeOnSqlite('a store that another program holds', () => {
  let service: TestService;
  let user: TestUser;
  let project: number;

  before(async () => {
    service = await startTestService({ lockPatience: 300 });
    user = await service.user('Ada Keeper');
    project = await newProject(user);
    assertStatus(await user.get('/projects'), 200);
  });
  after(() => service.stop());

  const add = () => user.post(`/projects/${project}/stories`, '<story><name>Buoys</name></story>');

  it('refuses changes with 503 and when to try again, still gives reads, and goes on when it is free', async () => {
    const other = new DatabaseSync(join(service.folder, 'story-tracker.db'));
    other.exec('begin immediate');
    const asked = add();
    assertStatus(await user.get(`/projects/${project}`), 200);
    const refused = await asked;
    assertRefused(refused, 503, /Nothing was changed/);
    assert.equal(refused.headers.get('retry-after'), '2');
    other.exec('rollback');
    other.close();
    assertStatus(await add(), 200);
  });

  it('lets no change wait for longer than others only because it came behind them', async () => {
    const other = new DatabaseSync(join(service.folder, 'story-tracker.db'));
    other.exec('begin immediate');
    const asked = [add(), add(), add(), add()];
    await Promise.race(asked);
    await wait(100); // A third of the patience, so that each of them, one after the other, would still get its turn.
    other.exec('rollback');
    other.close();
    for (const refused of await Promise.all(asked)) assertRefused(refused, 503, /Nothing was changed/);
  });

  it('is opened and read by commands and services that have nothing to write yet', async () => {
    const other = new DatabaseSync(join(service.folder, 'story-tracker.db'));
    other.exec('begin immediate');
    const second = await startTestService({ dataFolder: service.folder, lockPatience: 300 });
    const { url, token } = { url: second.url, token: user.token };
    assertStatus(await request(`${url}/services/v3/projects`, { token }), 200);
    assert.match(await runCommand(['project', 'list', '--data', service.folder]), /Ada Keeper/);
    other.exec('rollback');
    other.close();
    await second.stop();
  });
});
