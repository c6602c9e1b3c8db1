import assert from 'node:assert/strict';
import { mintToken, tokenHash } from '../../src/service/store/people/tokens.ts';
import { type EndpointName, endpoints } from '../../src/v3/endpoints.ts';
import { requestOf } from './support/hostile/assaults.ts';
import type { ParamIds } from './support/hostile/hostileTargets.ts';
import { type ReadNames, readNames } from './support/hostile/readNames.ts';
import { addMember, newIntegration, newProject, newStory } from './support/project.ts';
import { type Answer, assertRefused, assertStatus, idOf, request } from './support/request.ts';
import { runOnDatabase } from './support/testDatabase.ts';
import { startTestService, type TestService, type TestUser, userOf } from './support/testService.ts';

const names = Object.keys(endpoints) as EndpointName[];
const takesToken = names.filter((name) => endpoints[name].needs !== 'password');

describe('A read-only token', function () {
  this.timeout(120_000);
  let service: TestService;
  let ada: TestUser;
  let members = 0;
  let projectId: number;
  let readOnly: string;
  let known: Readonly<Record<EndpointName, ReadNames>>;
  let ids: ParamIds;

  before(async () => {
    known = await readNames();
    service = await startTestService();
    ada = await service.user('Ada Lovelace');
    projectId = await newProject(ada);
    readOnly = await service.running.database.write(async (tx) => {
      const { id } = await tx.selectFrom('users').select('id').executeTakeFirstOrThrow();
      return mintToken(tx, id, 'user', Date.now(), { scope: 'read' });
    });
    ids = await freshIds();
  });
  after(() => service.stop());

  /** What paths name, made anew, since what was sent before may have removed it. */
  async function freshIds(): Promise<ParamIds> {
    const otherStoryId = await newStory(ada, projectId, 'Other');
    await newStory(ada, projectId, 'Done', '<estimate>1</estimate><current_state>finished</current_state>');
    const storyId = await newStory(ada, projectId, 'Aim');
    const story = `/projects/${projectId}/stories/${storyId}`;
    const taskId = idOf(await ada.post(`${story}/tasks`, '<task><description>T</description></task>'));
    const form = new FormData();
    form.set('Filedata', new Blob(['x']), 'x.txt');
    const attachmentId = idOf(await ada.post(`${story}/attachments`, form));
    members += 1;
    const membershipId = await addMember(ada, projectId, await service.user(`Member ${members}`), 'Viewer');
    const integrationId = await newIntegration(ada, projectId, `Issues ${members}`);
    const pages = { download: '', preferences: '', invitation: '' };
    return {
      ...{ projectId, storyId, otherStoryId, taskId, attachmentId, membershipId, integrationId },
      ...{ importId: 1, pages },
    };
  }

  /** Sends what an endpoint wants, in which there is everything that it looks for. */
  function send(name: EndpointName, token: string, isDryRun: boolean): Promise<Answer> {
    const credentials = { token, cookie: '', basic: '', address: '127.0.0.1' };
    const { method, path, headers, body } = requestOf(name, known[name], ids, credentials);
    const trial = isDryRun ? `${path.includes('?') ? '&' : '?'}dry_run=true` : '';
    return request(service.url + path + trial, {
      method,
      headers: Object.fromEntries(
        headers.map(([key, value]) => [key === 'content-type' ? 'Content-Type' : key, value]),
      ),
      ...(body.length > 0 && { body: body.toString() }),
    });
  }

  /** All that the service keeps, but when tokens were used. */
  function stored(): Promise<string> {
    return service.running.database.read(async (tx) => {
      const rows: unknown[] = [];
      for (const { name, columns } of await tx.introspection.getTables()) {
        const kept = columns.map((column) => column.name).filter((column) => column !== 'lastUsedAt');
        const all = await tx
          .selectFrom(name as 'tokens')
          .select(kept as 'id'[])
          .execute();
        rows.push([name, all.map((row) => JSON.stringify(row)).toSorted()]);
      }
      return JSON.stringify(rows, undefined, 1);
    });
  }

  it('is refused by every endpoint that writes, with a sentence that tells what to do', async () => {
    for (const name of takesToken) {
      const { needs } = endpoints[name];
      const answers = { plain: await send(name, readOnly, false), trial: await send(name, readOnly, true) };
      if (needs === 'read') assert.notEqual(answers.plain.status, 403, name);
      else assertRefused(answers.plain, 403, /read-only.*use a token that was created without/);
      if (needs === 'write') assertRefused(answers.trial, 403, /read-only/);
      else assert.notEqual(answers.trial.status, 403, name);
    }
  });

  it('changes nothing at any endpoint, whatever it is sent, be it called a dry run', async () => {
    for (const name of takesToken) {
      const before = await stored();
      for (const isDryRun of [false, true]) await send(name, readOnly, isDryRun);
      assert.ok((await stored()) === before, name);
    }
  });

  it('is what keeps those requests from changing something', async () => {
    for (const name of takesToken.filter((each) => endpoints[each].needs !== 'read')) {
      ids = await freshIds();
      const before = await stored();
      assertStatus(await send(name, ada.token, false), 200);
      assert.ok((await stored()) !== before, name);
    }
  });

  it('is refused before the body of a request is read', async () => {
    const headers = { 'Content-Type': 'application/x-nonsense' };
    const url = `${service.url}/services/v3/projects/${projectId}/stories`;
    assertRefused(await request(url, { method: 'POST', token: readOnly, body: '<', headers }), 403, /read-only/);
  });

  it('is not what tokens are that were made before there were any', async () => {
    const hash = tokenHash('former');
    await runOnDatabase(
      service.folder,
      `insert into tokens ("userId", hash, purpose, "createdAt") select id, '${hash}', 'user', 1 from users where name = '${ada.name}'`,
    );
    await newProject(userOf(service.url, ada.name, ada.email, 'former'));
  });

  it('reads what its user reads, and nothing that the user is not a member of', async () => {
    const bob = await service.user('Bob');
    const other = await newProject(bob);
    const read = (path: string) => request(`${service.url}/services/v3${path}`, { token: readOnly });
    assertStatus(await read(`/projects/${projectId}/stories`), 200);
    assertStatus(await read(`/projects/${other}/stories`), 404);
  });
});
