import assert from 'node:assert/strict';
import { hashPassword } from '../../src/service/auth/password.ts';
import type { ServiceEvent } from '../../src/service/ground/background.ts';
import { tokenHash } from '../../src/service/store/people/tokens.ts';
import { addUser } from '../../src/service/store/people/users.ts';
import { newProject } from './support/project.ts';
import { rawHead, sendRaw } from './support/raw.ts';
import { assertStatus, request, textOf } from './support/request.ts';
import { startTestService } from './support/testService.ts';

const PASSWORD = 'correct horse battery staple';

describe('what the service logs', () => {
  it('holds no token, no password, no query and no body, not even where it tells of its own mistakes', async () => {
    const events: ServiceEvent[] = [];
    const service = await startTestService({ log: (event) => void events.push(event) });
    const ada = await service.user('Ada');
    const project = `/projects/${await newProject(ada)}`;
    const password = await hashPassword(PASSWORD);
    await service.running.database.write((tx) => addUser(tx, { name: 'Bo', email: 'bo@example.org', password }, 0));
    const { database } = service.running;
    const tables = ['notes', 'stories', 'memberships', 'tokens'] as const;
    const signIn = () =>
      request(`${service.url}/services/v3/tokens/active`, {
        headers: { Authorization: `Basic ${Buffer.from(`bo@example.org:${PASSWORD}`).toString('base64')}` },
      });
    const minted = textOf(await signIn(), 'guid');
    const hooked = `${service.url}/services/v3/github_commits?token=${ada.token}`;
    for (const table of tables) {
      await database.write((tx) => tx.schema.alterTable(table).renameTo('gone').execute());
      await ada.post(`${project}/stories`, '<story><name>a-secret-name</name></story>');
      await ada.get(`${project}/stories?filter=a-secret-filter`);
      await request(hooked, { method: 'POST', body: 'payload={"commits":[{"id":"1","message":"[%231]"}]}' });
      await signIn();
      await sendRaw(service.url, rawHead(`GET /services/v3/projects?token=${minted} HTTP/1.1`, 'Host: localhost'), 200);
      await database.write((tx) => tx.schema.alterTable('gone').renameTo(table).execute());
    }
    assertStatus(await ada.get('/projects'), 200);
    await service.stop();
    assert.ok(events.length >= tables.length);
    const logged = JSON.stringify(events);
    const secrets = [ada.token, minted, PASSWORD, password, tokenHash(ada.token), tokenHash(minted)];
    for (const secret of [...secrets, 'a-secret-name', 'a-secret-filter', 'token=']) {
      assert.ok(!logged.includes(secret), `${secret} in ${logged}`);
    }
  });
});
