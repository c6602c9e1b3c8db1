import assert from 'node:assert/strict';
import { join } from 'node:path';
import { runCommand } from '../../src/service/commandLine/runCommand.ts';
import { runService } from './support/serviceProcess.ts';
import { databaseOf } from './support/testDatabase.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

describe('commands with --json', () => {
  let service: TestService;
  let ada: TestUser;

  before(async () => {
    service = await startTestService();
    ada = await service.user('Ada');
    await ada.post('/projects', '<project><name>Apollo</name></project>');
  });
  after(() => service.stop());

  /** What a command prints, word by word. */
  async function answer(...args: readonly string[]) {
    const { database } = await databaseOf(service.folder);
    const where = ['--data', service.folder, ...(database === undefined ? [] : ['--database', database])];
    const printed = await runCommand([...args, ...where, '--json']);
    assert.match(printed, /^[^\n]+\n$/, 'one line');
    return JSON.parse(printed);
  }

  it('tell what they did', async () => {
    const email = ada.email;
    const person = { name: 'Ada', email };
    assert.deepEqual(await answer('project', 'list'), [{ id: 1, name: 'Apollo', owners: ['Ada'] }]);
    assert.deepEqual(await answer('project', 'set', '--project', '1', '--set', 'name=Gemini'), {
      id: 1,
      name: 'Gemini',
    });
    assert.deepEqual(await answer('project', 'integration', '--project', '1', '--name', 'Other'), {
      ...{ project: 1, id: 1, name: 'Other', active: true },
    });
    assert.deepEqual(await answer('project', 'integration', '--project', '1', '--id', '1', '--active', 'false'), {
      ...{ project: 1, id: 1, active: false },
    });
    assert.deepEqual(await answer('project', 'iteration', '--project', '1', '--number', '3', '--weeks', '2'), {
      ...{ project: 1, number: 3, teamStrength: 1, weeks: 2 },
    });
    await service.user('Bo');
    const member = ['project', 'member', '--project', '1', '--email', 'bo@example.org'];
    const bo = { project: 1, email: 'bo@example.org' };
    assert.deepEqual(await answer(...member), { ...bo, role: 'Member' });
    assert.deepEqual(await answer(...member, '--remove'), { ...bo, role: null });
    assert.deepEqual(await answer('user', 'mail', '--email', email, '--assigned', 'off'), {
      ...{ ...person, project: null, assigned: false },
    });
    const { token, ...made } = await answer('token', 'create', '--email', email);
    assert.deepEqual(made, { email, name: null, scope: 'write' });
    assert.match(token, /^[\w-]{40}$/);
    const tokens: { id: number }[] = await answer('token', 'list');
    const last = tokens.at(-1)?.id;
    assert.deepEqual(await answer('token', 'revoke', '--id', String(last)), { id: last });
    assert.deepEqual(await answer('deliveries', 'list'), []);
    assert.deepEqual(await answer('deliveries', 'retry', '--all'), { count: 0 });
    assert.deepEqual(await answer('deliveries', 'discard', '--all-parked'), { count: 0 });
    const output = join(service.folder, 'gemini.csv');
    assert.deepEqual(await answer('export', '--project', '1', '--output', output), {
      ...{ project: 1, format: 'csv', output, missing: 0 },
    });
  });

  it('tell also what went wrong as JSON, and a password that was set', async () => {
    const unknown = ['--email', 'x@y.z', '--data', service.folder, '--json'];
    const failed = await runService(['user', 'password', ...unknown], 'long enough');
    assert.deepEqual([failed.code, failed.stdout], [2, '']);
    assert.deepEqual(JSON.parse(failed.stderr), { error: 'No user has the address x@y.z.' });
    const person = ['--email', ada.email, '--data', service.folder, '--json'];
    const set = await runService(['user', 'password', ...person], 'long enough');
    assert.deepEqual(JSON.parse(set.stdout), { name: 'Ada', email: ada.email });
  });
});
