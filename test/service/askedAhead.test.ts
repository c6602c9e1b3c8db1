import assert from 'node:assert/strict';
import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { eventually } from '../support/eventually.ts';
import { newProject } from './support/project.ts';
import { rawHead } from './support/raw.ts';
import { assertStatus } from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

/** Bytes that are read of a connection in one go. */
const PIECE = 64 * 1024;
const SHORTEST = 'GET / HTTP/1.1\r\n\r\n';
/** What Node says of each request that it read. */
const READ = 'http.server.request.start';

describe('requests that are asked for ahead without end', () => {
  let service: TestService;
  let ada: TestUser;
  let path: string;
  let sockets: Socket[] = [];
  let read = 0;
  const count = (): void => {
    read += 1;
  };

  before(async () => {
    service = await startTestService();
    ada = await service.user('Ada');
    path = `/projects/${await newProject(ada)}`;
    diagnostics.subscribe(READ, count);
  });
  after(async () => {
    diagnostics.unsubscribe(READ, count);
    await service.stop();
  });
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    sockets = [];
  });

  /** Sends the same over many connections in one moment, and asks as another one in the meantime. Gives how many requests were read. */
  async function readOf(connections: number, bytes: string): Promise<number> {
    const { hostname, port } = new URL(service.url);
    while (sockets.length < connections) {
      const socket = connect(Number(port), hostname)
        .on('error', () => undefined)
        .resume();
      sockets.push(socket);
      await once(socket, 'connect');
    }
    read = 0;
    for (const socket of sockets) socket.write(bytes);
    for (let others = 0; others < 5; others += 1) assertStatus(await ada.get(`${path}?n=${others}`), 200);
    return read - 5;
  }

  it('are read no further than they may wait, however many there are in a piece', async () => {
    const sent = Math.floor(PIECE / SHORTEST.length);
    assert.ok((await readOf(1, SHORTEST.repeat(sent))) <= 200, `${read}`);
    await eventually(async () => assert.equal(sockets[0]?.closed, true));
    sockets = [];
    const connections = 40;
    assert.ok((await readOf(connections, SHORTEST.repeat(sent))) <= 200 * connections, `${read}`);
    assertStatus(await ada.get(path), 200);
  });

  it('are not even looked at where their heads are too long', async () => {
    const lines = Array.from({ length: 560 }, (_, index) => `x${index % 100}:cd`);
    const one = rawHead('GET / HTTP/1.1', 'Host: localhost', ...lines);
    const connections = 50;
    const ahead = Math.floor(PIECE / one.length);
    assert.ok((await readOf(connections, one.repeat(ahead))) <= connections, `${read}`);
    await eventually(async () => assert.ok(sockets.every((socket) => socket.closed)));
  });

  it('leave a caller alone who asks for a few', async () => {
    const { hostname, port, host } = new URL(service.url);
    const few = connect(Number(port), hostname);
    let text = '';
    few.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
    });
    await once(few, 'connect');
    const flood = readOf(100, SHORTEST.repeat(500));
    const head = rawHead(`GET /services/v3${path} HTTP/1.1`, `Host: ${host}`, `X-ServiceToken: ${ada.token}`);
    few.write(head.repeat(4));
    await flood;
    await eventually(async () => assert.equal(text.split('HTTP/1.1 200 OK').length, 5));
    few.destroy();
  });
});
