import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { ServiceEvent } from '../../src/service/ground/background.ts';
import type { Tx } from '../../src/service/store/database.ts';
import { setWebHook, tellWebHook, type WebHookChange } from '../../src/service/store/projects/webHook.ts';
import { eventually } from '../support/eventually.ts';
import { NameServer } from '../support/servers/nameServer.ts';
import { PrivateAuthority } from '../support/servers/privateAuthority.ts';
import { type Behaviour, HookReceiver } from './support/hookReceiver.ts';
import { newProject, newStory } from './support/project.ts';
import { assertStatus, textOf, texts } from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

const DAY = 86_400_000;
/** More posts than are under way at once. */
const MANY = 70;

describe('web hooks', function () {
  this.timeout(60_000);
  let service: TestService;
  let ada: TestUser;
  let receiver: HookReceiver;
  let nameServer: NameServer;
  let events: ServiceEvent[];
  /** Milliseconds by which the service's clock is ahead. */
  let ahead: number;
  /** Whether it jumps over the pauses after failures. */
  let isHurried: boolean;

  beforeEach(async () => {
    events = [];
    ahead = 0;
    isHurried = false;
    receiver = await HookReceiver.start();
    nameServer = await NameServer.start({ 'receiver.test': ['127.0.0.1'], 'rebound.test': ['169.254.169.254'] });
    await start({ head: 2_500 });
  });

  /** A service that waits so many milliseconds for the head of what a receiver answers. */
  async function start({ head }: { readonly head: number }): Promise<void> {
    service = await startTestService({
      allowPrivateHooks: true,
      nameServers: [nameServer.address],
      deliveryPace: 50,
      hookTimes: { connect: 3_000, head, rest: 300 },
      log: (event) => {
        events.push(event);
        if (isHurried) ahead += 3_000;
      },
      clock: () => Date.now() + ahead,
    });
    ada = await service.user('Ada');
  }

  /** What a receiver is held with may take longer than it is waited for otherwise. */
  async function startPatiently(): Promise<void> {
    await service.stop();
    await start({ head: 60_000 });
  }

  afterEach(async () => {
    await service.stop();
    await receiver.close();
    await nameServer.close();
  });

  async function hooked(change: WebHookChange = {}, more = ''): Promise<number> {
    const projectId = await newProject(ada, 'Apollo', more);
    await hook(projectId, { url: receiver.url(), ...change });
    return projectId;
  }

  const hook = (projectId: number, change: WebHookChange) =>
    service.running.database.write((tx) => setWebHook(tx, projectId, change, Date.now() + ahead));

  const left = () => service.running.database.read((tx) => tx.selectFrom('jobs').selectAll().orderBy('id').execute());

  const queues = () => service.running.database.read((tx) => tx.selectFrom('queues').selectAll().execute());

  const nothingLeft = () => eventually(async () => assert.deepEqual(await left(), []));

  it('carry each activity as the resource that it is', async () => {
    const projectId = await hooked({ url: receiver.url('/a/b?token=c%20d') });
    await newStory(ada, projectId, 'Buoys &amp; &lt;beacons&gt; für 🌍');
    await nothingLeft();
    const [post] = receiver.posts;
    assert.ok(post);
    assert.deepEqual([post.method, post.path], ['POST', '/a/b?token=c%20d']);
    assert.equal(post.headers['content-type'], 'application/xml');
    assert.match(String(post.headers['x-servicedelivery']), /^[0-9a-f-]{36}$/);
    assert.equal(post.headers['x-servicesignature'], undefined);
    assert.equal(post.headers['x-servicetoken'], undefined);
    const feed = await ada.get(`/projects/${projectId}/activities?limit=1`);
    const [listed = ''] = /<activity>.*<\/activity>/s.exec(feed.text) ?? [];
    assert.equal(post.body, `<?xml version="1.0" encoding="UTF-8"?>\n${listed.replaceAll('\n  ', '\n')}\n`);
    assert.match(post.body, new RegExp(`<url>${service.url}/services/v3/projects/${projectId}/stories/\\d+</url>`));
  });

  it('tell of every kind of change, in order, and of none in projects without one', async () => {
    const projectId = await hooked();
    const other = await newProject(ada, 'Gemini');
    const stories = `/projects/${projectId}/stories`;
    const [first, second] = [await newStory(ada, projectId, 'A'), await newStory(ada, projectId, 'B')];
    await newStory(ada, other, 'Quiet');
    assertStatus(await ada.put(`${stories}/${first}`, '<story><estimate>2</estimate></story>'), 200);
    assertStatus(await ada.post(`${stories}/${first}/notes`, '<note><text>Hm</text></note>'), 200);
    assertStatus(await ada.post(`${stories}/${first}/tasks`, '<task><description>Do</description></task>'), 200);
    assertStatus(await ada.post(`${stories}/${second}/moves?move[move]=after&move[target]=${first}`), 200);
    const commit = `<source_commit><message>[fixes #${first}]</message><commit_id>c1</commit_id></source_commit>`;
    assertStatus(await ada.post('/source_commits', commit), 200);
    assertStatus(await ada.delete(`${stories}/${second}`), 200);
    await nothingLeft();
    const feed = await ada.get(`/projects/${projectId}/activities?limit=100`);
    const versions = receiver.taken.map(({ body }) => textOf({ text: body }, 'version'));
    assert.deepEqual(versions, texts(feed, 'version').reverse());
    assert.equal(versions.length, 9);
    const deliveries = receiver.taken.map(({ headers }) => headers['x-servicedelivery']);
    assert.equal(new Set(deliveries).size, 9);
  });

  it('tell the old project and the new one of a story that moves', async () => {
    const [projectId, other] = [await hooked(), await hooked()];
    const id = await newStory(ada, projectId, 'Traveller');
    const answer = await ada.put(
      `/projects/${projectId}/stories/${id}`,
      `<story><project_id>${other}</project_id></story>`,
    );
    assertStatus(answer, 200);
    await nothingLeft();
    const told = receiver.taken.map(({ body }) =>
      ['project_id', 'event_type'].map((name) => textOf({ text: body }, name)),
    );
    assert.deepEqual(told.sort(), [
      [String(projectId), 'story_create'],
      [String(projectId), 'story_delete'],
      [String(other), 'story_create'],
    ]);
  });

  it('are signed with the secret of the project, which is nowhere else', async () => {
    const secret = 'kept between the two of us';
    const projectId = await hooked({ secret });
    receiver.plan.push(500);
    await newStory(ada, projectId, 'Buoys');
    await nothingLeft();
    assert.equal(receiver.posts.length, 2);
    for (const { headers, body } of receiver.posts) {
      const signed = `${headers['x-servicedelivery']}.${headers['x-servicetime']}.${body}`;
      const expected = createHmac('sha256', secret).update(signed).digest('hex');
      assert.equal(headers['x-servicesignature'], `sha256=${expected}`);
      assert.ok(!JSON.stringify([headers, body]).includes(secret));
    }
    await hook(projectId, { secret: null });
    await newStory(ada, projectId, 'Beacons');
    await nothingLeft();
    assert.equal(receiver.posts.at(-1)?.headers['x-servicesignature'], undefined);
    const project = (await ada.get(`/projects/${projectId}`)).text;
    assert.doesNotMatch(project + JSON.stringify(events), /kept between|127\.0\.0\.1.*hook/);
  });

  it('arrive in order at a receiver that is down, slow, wrong, and back', async () => {
    isHurried = true;
    const projectId = await hooked();
    const wrong: readonly [Behaviour, RegExp][] = [
      [500, /answered 500\.$/],
      [{ status: 301, headers: { Location: receiver.url('/elsewhere') } }, /answered 301; redirects are not followed/],
      [{ status: 307, headers: { Location: receiver.url('/elsewhere') } }, /answered 307; redirects/],
      ['hang', /took too long to answer/],
      ['endlessHead', /took too long to answer|could not be reached/],
      ['cut', /cut the connection/],
      ['cutBody', /answered 500/],
      [{ endless: 503 }, /answered 503/],
      [404, /answered 404/],
      [{ status: 101, headers: { Connection: 'Upgrade', Upgrade: 'x' } }, /could not be reached|cut the connection/],
    ];
    const names: string[] = [];
    for (const [behaviour, sentence] of wrong) {
      receiver.plan.push(behaviour);
      for (const name of [`${names.length}`, `${names.length + 1}`]) {
        await newStory(ada, projectId, name);
        names.push(name);
      }
      await nothingLeft();
      const failed = events.splice(0);
      assert.ok(failed.every(({ event }) => event === 'deliveryFailed'));
      assert.ok(
        failed.some(({ message }) => sentence.test(String(message))),
        JSON.stringify([behaviour, failed]),
      );
    }
    await receiver.close();
    for (const name of ['x', 'y', 'z']) {
      await newStory(ada, projectId, name);
      names.push(name);
    }
    await eventually(() => assert.match(String(events[0]?.message), /could not be reached \(ECONNREFUSED\)/));
    await receiver.open();
    await nothingLeft();
    assert.deepEqual(receiver.names, names);
    assert.ok(receiver.posts.every(({ path }) => path === '/hook'));
  });

  it('are done once 2xx is answered, however the answer goes on', async () => {
    const projectId = await hooked();
    receiver.plan.push({ endless: 200 }, 200, 204);
    for (const name of ['A', 'B', 'C']) await newStory(ada, projectId, name);
    await nothingLeft();
    assert.equal(receiver.posts.length, 3);
    assert.deepEqual(events, []);
  });

  it('wait as long as a receiver asks for', async () => {
    const projectId = await hooked();
    receiver.plan.push({ status: 429, headers: { 'Retry-After': '600' } });
    await newStory(ada, projectId, 'Buoys');
    const again = await eventually(() => {
      const { again: told } = events[0] ?? assert.fail();
      return Date.parse(String(told));
    });
    assert.ok(again >= Date.now() + 590_000);
    ahead = 600_000;
    await nothingLeft();
    assert.deepEqual(receiver.names, ['Buoys']);
  });

  it('of one project are held up by nobody else', async () => {
    await startPatiently();
    const slow = await hooked({ url: receiver.url('/slow') });
    let release: (status: number) => void = () => undefined;
    receiver.plan.push(new Promise((resolve) => (release = resolve)));
    await newStory(ada, slow, 'Slow 1');
    await newStory(ada, slow, 'Slow 2');
    await eventually(() => assert.equal(receiver.posts.length, 1));
    const quick = await hooked({ url: receiver.url('/quick') });
    for (const name of ['A', 'B', 'C']) await newStory(ada, quick, name);
    const first = await eventually(() => {
      assert.ok(receiver.names.length >= 3);
      return receiver.names.slice(0, 3);
    });
    assert.deepEqual(
      first.filter((name) => !name.startsWith('Slow')),
      ['A', 'B', 'C'],
    );
    release(200);
    await nothingLeft();
  });

  it('arrive while one receiver is slow for very many others', async () => {
    await startPatiently();
    const { promise: answer, resolve: release } = Promise.withResolvers<number>();
    receiver.plan.push(...Array.from({ length: MANY }, () => answer));
    const template = await newProject(ada, 'Slow');
    await newStory(ada, template, 'Told of in all');
    await service.running.database.write((tx) => hookMany(tx, template, receiver.url()));
    await eventually(() => assert.ok(receiver.posts.length > 0));
    const other = await HookReceiver.start();
    const quick = await hooked({ url: other.url() });
    for (const name of ['A', 'B', 'C']) await newStory(ada, quick, name);
    await eventually(() => assert.deepEqual(other.names, ['A', 'B', 'C']));
    assert.deepEqual(events, []);
    release(200);
    await nothingLeft();
    assert.equal(receiver.posts.length, MANY);
    await other.close();
  });

  it('arrive while the name servers of many others keep silent', async () => {
    const silent: number[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
      silent.push(await hooked({ url: receiver.url('/hook', `${name}.silent.test`) }));
    }
    await Promise.all(silent.map((projectId) => newStory(ada, projectId, 'Lost')));
    await eventually(() => assert.equal(new Set(nameServer.asked).size, silent.length));
    const projectId = await hooked({ url: receiver.url('/hook', 'receiver.test') });
    for (const name of ['A', 'B', 'C']) await newStory(ada, projectId, name);
    await eventually(() => assert.deepEqual(receiver.names, ['A', 'B', 'C']));
    await hook(projectId, { url: receiver.url('/hook', 'rebound.test') });
    await newStory(ada, projectId, 'D');
    await eventually(() =>
      assert.ok(events.some(({ message }) => /169\.254.*not an allowed web hook address/.test(String(message)))),
    );
    for (const each of [...silent, projectId]) await hook(each, { url: null });
    nameServer.speak();
    await nothingLeft();
  });

  it('are parked after a day, and what comes later goes on', async () => {
    const projectId = await hooked();
    await receiver.close();
    await newStory(ada, projectId, 'A');
    await newStory(ada, projectId, 'B');
    await eventually(() => assert.ok(events.some(({ event }) => event === 'deliveryFailed')));
    const parkedNow = () => events.filter(({ event }) => event === 'deliveryParked').length;
    while (parkedNow() < 2) {
      const told = events.length;
      const [queue] = await queues();
      ahead = Math.max(ahead, (queue?.dueAt ?? 0) - Date.now());
      await eventually(() => assert.ok(events.length > told));
    }
    assert.ok(ahead > DAY - 60_000);
    const parked = await left();
    assert.ok(parked.every(({ parkedAt, lastError }) => parkedAt !== null && /ECONNREFUSED/.test(lastError ?? '')));
    await receiver.open();
    await newStory(ada, projectId, 'C');
    await eventually(() => assert.deepEqual(receiver.names, ['C']));
  });

  it('go to another address as soon as the project has one, and nowhere once it has none', async () => {
    const projectId = await hooked({ url: receiver.url('/old') });
    await receiver.close();
    await newStory(ada, projectId, 'A');
    await eventually(() => assert.ok(events.some(({ event }) => event === 'deliveryFailed')));
    ahead = 3_600_000;
    const other = await HookReceiver.start();
    await hook(projectId, { url: other.url('/new') });
    await nothingLeft();
    assert.deepEqual(other.names, ['A']);
    other.plan.push(500);
    await newStory(ada, projectId, 'B');
    await hook(projectId, { url: null });
    await nothingLeft();
    await newStory(ada, projectId, 'C');
    assert.deepEqual(await left(), []);
    await other.close();
  });

  it('never reach what a machine keeps to itself, however that is spelled', async () => {
    const projectId = await hooked();
    const hosts = [
      '169.254.169.254',
      '[::ffff:169.254.169.254]',
      '[::ffff:a9fe:a9fe]',
      '0.0.0.0',
      '[::]',
      '0',
      '2852039166',
    ];
    for (const host of hosts) {
      const story = await newStory(ada, projectId, 'Secret');
      await hook(projectId, { url: receiver.url('/x', host) });
      await newStory(ada, projectId, `To ${host}`);
      await eventually(() => assert.match(String(events.at(-1)?.message), /not an allowed web hook address/, host));
      await hook(projectId, { url: null });
      await nothingLeft();
      await hook(projectId, { url: receiver.url() });
      events.splice(0);
      assertStatus(await ada.delete(`/projects/${projectId}/stories/${story}`), 200);
      await nothingLeft();
    }
    assert.ok(receiver.posts.every(({ path }) => path === '/hook'));
  });

  it('never go to a receiver for whose certificate nobody vouches', async () => {
    const authority = new PrivateAuthority();
    let requests = 0;
    const server = createServer(authority.identity(['localhost']), (_, response) => {
      requests += 1;
      response.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port }: AddressInfo = Object(server.address());
    const projectId = await hooked({ url: `https://localhost:${port}/hook` });
    await newStory(ada, projectId, 'A');
    await eventually(() =>
      assert.match(String(events[0]?.message), /could not be reached \([A-Z_]*CERT|SIGN|VERIFY[A-Z_]*\)/),
    );
    assert.equal(requests, 0);
    server.close();
    server.closeAllConnections();
    authority.remove();
  });

  it('are over TLS, or on this machine, in projects that use HTTPS', async () => {
    const projectId = await hooked({}, '<use_https>true</use_https>');
    await newStory(ada, projectId, 'A');
    await nothingLeft();
    await hook(projectId, { url: 'http://192.0.2.1/hook' });
    await newStory(ada, projectId, 'B');
    await eventually(() => assert.match(String(events[0]?.message), /must start with https/));
    await hook(projectId, { url: receiver.url('/hook').replace('http:', 'https:') });
    await eventually(() => assert.match(String(events.at(-1)?.message), /could not be reached|cut the connection/));
    assert.deepEqual(receiver.names, ['A']);
  });
});

describe('web hooks of a service on the network', () => {
  it('reach neither its machine nor private networks unless that is allowed', async () => {
    const receiver = await HookReceiver.start();
    const events: ServiceEvent[] = [];
    const service = await startTestService({ host: '0.0.0.0', log: (event) => events.push(event) });
    const ada = await service.user('Ada');
    const address = service.url.replace('0.0.0.0', '127.0.0.1');
    const projectId = Number(
      textOf(await postTo(address, ada, '/projects', '<project><name>A</name></project>'), 'id'),
    );
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '10.1.2.3']) {
      const url = receiver.url('/hook', host);
      await service.running.database.write((tx) => setWebHook(tx, projectId, { url }, Date.now()));
      await postTo(address, ada, `/projects/${projectId}/stories`, '<story><name>A</name></story>');
      const expected = host.startsWith('10') ? /is private; allow it/ : /is this machine; allow it/;
      await eventually(() => assert.match(String(events.at(-1)?.message), expected, host));
      await service.running.database.write((tx) => setWebHook(tx, projectId, { url: null }, Date.now()));
      await eventually(async () => {
        assert.deepEqual(await service.running.database.read((tx) => tx.selectFrom('jobs').select('id').execute()), []);
      });
      events.splice(0);
    }
    await service.stop();
    assert.deepEqual(receiver.posts, []);
    await receiver.close();
  });
});

/** Projects like one that is there, whose latest activity goes to one receiver. */
async function hookMany(tx: Tx, template: number, webHookUrl: string): Promise<void> {
  const { id: _, ...row } = await tx
    .selectFrom('projects')
    .selectAll()
    .where('id', '=', template)
    .executeTakeFirstOrThrow();
  const activity = await tx.selectFrom('activities').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow();
  for (let count = 0; count < MANY; count += 1) {
    const copy = { ...row, webHookUrl };
    const { id } = await tx.insertInto('projects').values(copy).returning('id').executeTakeFirstOrThrow();
    await tellWebHook(tx, { id, webHookUrl }, activity.id, Date.now());
  }
}

async function postTo(address: string, { token }: TestUser, path: string, body: string): Promise<{ text: string }> {
  const headers = { 'X-ServiceToken': token, 'Content-Type': 'application/xml' };
  const response = await fetch(`${address}/services/v3${path}`, { method: 'POST', headers, body });
  return { text: await response.text() };
}
