import assert from 'node:assert/strict';
import { Client } from 'pg';
import { eventually } from '../support/eventually.ts';
import { type PostgresServer, startPostgres } from '../support/postgres/postgresServer.ts';
import { newProject, newStory, storyNames } from './support/project.ts';
import { type Answer, assertRefused, assertStatus, request } from './support/request.ts';
import { describeOnPostgres } from './support/testDatabase.ts';
import { startTestService, type TestService, type TestUser, temporaryFolder, userOf } from './support/testService.ts';

/** Of which three processes would take fourteen each. */
const CONNECTIONS = 16;

describeOnPostgres('a server that lets in fewer connections than its services would have', () => {
  let server: PostgresServer;
  let services: TestService[];
  let users: TestUser[];
  let projectId: number;

  before(async () => {
    server = await startPostgres({
      more: [`max_connections=${CONNECTIONS}`, 'superuser_reserved_connections=0', 'max_wal_senders=0'],
    });
    services = [];
    for (let count = 0; count < 3; count += 1) services.push(await start());
    const [first] = services;
    assert.ok(first);
    const ada = await first.user('Ada');
    projectId = await newProject(ada);
    users = services.map(({ url }) => userOf(url, ada.name, ada.email, ada.token));
  });
  after(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await server.stop();
  });

  const start = async (lockPatience = 20_000) =>
    startTestService({ dataFolder: await temporaryFolder(), database: server.address, lockPatience });
  const add = (user: TestUser, name: string) => newStory(user, projectId, name);

  it('has each request of a burst wait for a moment, and answers them all', async () => {
    for (let burst = 0; burst < 3; burst += 1) {
      const asked: Promise<Answer>[] = [];
      const made: Promise<number>[] = [];
      for (const [index, user] of users.entries()) {
        for (let count = 0; count < 20; count += 1) {
          made.push(add(user, `${burst} ${index} ${count}`));
          asked.push(user.get(`/projects/${projectId}/stories?filter=id:${burst}${index}${count}`));
          asked.push(request(`${services[index]?.url}/healthz`));
        }
      }
      for (const answer of await Promise.all(asked)) assertStatus(answer, 200);
      await Promise.all(made);
    }
    const [user] = users;
    assert.ok(user);
    assert.equal((await storyNames(user, projectId)).length, 180);
  });

  it('lets in another service once there is room, which waits for it', async () => {
    const held: Client[] = [];
    const fill = async (): Promise<void> => {
      const client = new Client({ connectionString: server.address });
      client.on('error', () => undefined);
      await client.connect();
      held.push(client);
    };
    await assert.rejects(async () => {
      for (;;) await fill();
    }, /too many clients/);
    const starting = start();
    setTimeout(() => void Promise.all(held.splice(0).map((client) => client.end())), 1_000);
    await (await starting).stop();
  });

  it('is waited for with patience that has an end, which says when to try again', async () => {
    const impatient = await eventually(() => start(1_000), 20_000);
    services.push(impatient);
    const ada = users[0] ?? assert.fail();
    const user = userOf(impatient.url, ada.name, ada.email, ada.token);
    assertStatus(await user.get('/projects'), 200);
    const held: Client[] = [];
    const isIn = async (): Promise<boolean> => {
      const client = new Client({ connectionString: server.address });
      client.on('error', () => undefined);
      return client.connect().then(
        () => held.push(client) > 0,
        () => false,
      );
    };
    await eventually(async () => assert.ok(await isIn()), 10_000);
    const answer = await eventually(async () => {
      await held[0]?.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'story-tracker%'",
      );
      while (await isIn());
      const refused = await user.post(`/projects/${projectId}/stories`, '<story><name>x</name></story>');
      assertRefused(refused, 503, /not available right now\. Nothing was changed/);
      return refused;
    }, 30_000);
    assert.equal(answer.headers.get('retry-after'), '2');
    await Promise.all(held.map((client) => client.end()));
    await eventually(async () => assertStatus(await user.get('/projects'), 200), 20_000);
  });

  it('sends away who waited too long for those that others use, and goes on when they are done', async () => {
    const service = await eventually(() => start(500), 20_000);
    services.push(service);
    const ada = users[0] ?? assert.fail();
    const user = userOf(service.url, ada.name, ada.email, ada.token);
    assertStatus(await user.get('/projects'), 200);
    const { database } = service.running;
    const done = Promise.withResolvers<void>();
    const using = Array.from({ length: CONNECTIONS }, () => database.read(() => done.promise).catch(() => undefined));
    const path = `/projects/${projectId}/stories?limit=1`;
    for (const refused of await Promise.all([user.get(path), user.get(`${path}&offset=1`)])) {
      assertRefused(refused, 503, /not available right now/);
    }
    done.resolve();
    await Promise.all(using);
    for (let count = 0; count < CONNECTIONS; count += 1) assertStatus(await user.get(`${path}&offset=${count}`), 200);
  });
});
