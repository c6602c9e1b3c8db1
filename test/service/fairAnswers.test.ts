import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { setCounters } from '../../src/service/store/counters.ts';
import { newProject, newStory } from './support/project.ts';
import { assertStatus } from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

const REQUESTS = 100;
const CHANGES = 300;
/** At least those that a store reads or writes over. */
const CONNECTIONS = 8;
/** Milliseconds in which requests come as far as they can without the store. */
const HELD_MS = 200;

describe('many requests in one moment', () => {
  let service: TestService;
  let ada: TestUser;
  let ben: TestUser;
  const sockets: Socket[] = [];

  before(async () => {
    service = await startTestService();
    [ada, ben] = [await service.user('Ada Lovelace'), await service.user('Ben Bitdiddle')];
  });
  after(async () => {
    for (const socket of sockets) socket.destroy();
    await service.stop();
  });

  /** A request over a connection of its own, which is sent when asked for. */
  async function prepared(
    { token }: Pick<TestUser, 'token'>,
    path: string,
    body?: string,
  ): Promise<() => Promise<string>> {
    const { hostname, port, host } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    await once(socket, 'connect');
    const lines = [
      `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1`,
      `Host: ${host}`,
      `X-ServiceToken: ${token}`,
      ...(body === undefined ? [] : ['Content-Type: application/xml', `Content-Length: ${body.length}`]),
    ];
    return async () => {
      socket.write(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
      const [bytes] = await once(socket, 'data');
      return String(bytes).split('\r\n')[0] ?? '';
    };
  }

  it("do not keep another's from being answered", async () => {
    const large = await newProject(ada);
    for (let index = 0; index < 60; index += 1) {
      await newStory(ada, large, `Story ${index}`, `<description>${'Long. '.repeat(500)}</description>`);
    }
    const path = `/services/v3/projects/${large}/stories?limit=60`;
    const many = await Promise.all(Array.from({ length: REQUESTS }, (_, index) => prepared(ada, `${path}&n=${index}`)));
    await assertBefore(many, `/services/v3/projects/${await newProject(ben)}`);
  });

  it('nor do those that come with a token made up for each', async () => {
    const many = Array.from({ length: 4 * REQUESTS }, (_, index) =>
      prepared({ token: `made up ${index}` }, '/healthz'),
    );
    await assertBefore(await Promise.all(many), '/healthz');
  });

  /** A request of someone who is known, for a path that takes no more than theirs, is answered before half of these are. */
  async function assertBefore(many: readonly (() => Promise<string>)[], path: string): Promise<void> {
    assertStatus(await ben.get(`/projects/${await newProject(ben)}`), 200);
    const one = await prepared(ben, `${path}?n=1`);
    const order: string[] = [];
    const note = async (name: string, send: () => Promise<string>) => {
      assert.equal(await send(), 'HTTP/1.1 200 OK');
      order.push(name);
    };
    await Promise.all([...many.map((send) => note('many', send)), note('one', one)]);
    assert.equal(order.length, many.length + 1);
    assert.ok(order.indexOf('one') < many.length / 2, `after ${order.indexOf('one')} others`);
  }

  it('whose changes are ready together do not keep a read from being answered', async () => {
    const small = await newProject(ben);
    const order: string[] = [];
    const change = async (value: number) => {
      await service.running.database.write((tx) => setCounters(tx, new Map([['tried', value]])));
      order.push('change');
    };
    const read = async () => {
      assertStatus(await ben.get(`/projects/${small}`), 200);
      order.push('read');
    };
    await Promise.all([...Array.from({ length: CHANGES }, (_, index) => change(index)), read()]);
    assert.ok(order.indexOf('read') < CHANGES, `after ${order.indexOf('read')} changes`);
  });

  for (const kind of ['read', 'write'] as const) {
    it(`wait in turn for the store by their callers, to ${kind}`, async () => {
      const pathOf = async (user: TestUser) => {
        const project = await newProject(user);
        return `/services/v3/projects/${project}/stories/${await newStory(user, project, 'Asked for')}`;
      };
      const [many, one] = [await pathOf(ada), await pathOf(ben)];
      const send = (user: TestUser, path: string) =>
        kind === 'read' ? prepared(user, path) : prepared(user, `${path}/notes`, '<note><text>Soon</text></note>');
      const requests = await Promise.all(Array.from({ length: REQUESTS }, () => send(ada, many)));
      const other = await send(ben, one);

      const held = Promise.withResolvers<void>();
      const holding = Array.from({ length: CONNECTIONS }, () => service.running.database[kind](() => held.promise));
      const order: string[] = [];
      const note = async (name: string, ask: () => Promise<string>) => {
        assert.equal(await ask(), 'HTTP/1.1 200 OK');
        order.push(name);
      };
      const asked = requests.map((ask) => note('many', ask));
      await wait(HELD_MS);
      asked.push(note('one', other));
      await wait(HELD_MS);
      held.resolve();
      await Promise.all([...holding, ...asked]);
      assert.ok(order.indexOf('one') < REQUESTS / 2, `after ${order.indexOf('one')} others`);
    });
  }
});
