import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setCounters } from '../../src/service/store/counters.ts';
import { newProject, newStory } from './support/project.ts';
import { assertStatus } from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

const REQUESTS = 100;
const CHANGES = 300;

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
  async function prepared(user: TestUser, path: string): Promise<() => Promise<string>> {
    const { hostname, port, host } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    await once(socket, 'connect');
    return async () => {
      socket.write(`GET /services/v3${path} HTTP/1.1\r\nHost: ${host}\r\nX-ServiceToken: ${user.token}\r\n\r\n`);
      const [bytes] = await once(socket, 'data');
      return String(bytes).split('\r\n')[0] ?? '';
    };
  }

  it("do not keep another's from being answered", async () => {
    const large = await newProject(ada);
    for (let index = 0; index < 60; index += 1) {
      await newStory(ada, large, `Story ${index}`, `<description>${'Long. '.repeat(500)}</description>`);
    }
    const small = await newProject(ben);
    const path = `/projects/${large}/stories?limit=60`;
    const many = await Promise.all(Array.from({ length: REQUESTS }, (_, index) => prepared(ada, `${path}&n=${index}`)));
    const one = await prepared(ben, `/projects/${small}`);

    const order: string[] = [];
    const note = async (name: string, send: () => Promise<string>) => {
      assert.equal(await send(), 'HTTP/1.1 200 OK');
      order.push(name);
    };
    await Promise.all([...many.map((send) => note('many', send)), note('one', one)]);
    assert.equal(order.length, REQUESTS + 1);
    assert.ok(order.indexOf('one') < REQUESTS / 2, `after ${order.indexOf('one')} others`);
  });

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
});
