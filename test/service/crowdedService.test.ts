import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { newProject } from './support/project.ts';
import { rawHead, sendRaw } from './support/raw.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

/** More than the service keeps open. */
const MANY = 1_005;

describe('a service all of whose connections are taken', function () {
  this.timeout(120_000);
  let service: TestService;
  let ada: TestUser;
  let path: string;
  const kept = new Agent({ keepAlive: true, maxSockets: 1 });
  let sockets: Socket[] = [];

  before(async () => {
    service = await startTestService();
    ada = await service.user('Ada');
    path = `/services/v3/projects/${await newProject(ada)}`;
  });
  after(async () => {
    kept.destroy();
    await service.stop();
  });
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    sockets = [];
  });

  /** Opens very many connections over each of which this is sent. */
  async function take(bytes: string): Promise<void> {
    const { hostname, port } = new URL(service.url);
    while (sockets.length < MANY) {
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      socket.resume().write(bytes);
      sockets.push(socket);
      await once(socket, 'connect');
    }
  }

  /** Asks over the connection that is kept open; gives the status, and by which port of ours it was asked. */
  function askOverKept(): Promise<readonly [status: number | undefined, port: number | undefined]> {
    return new Promise((resolve, reject) => {
      const asked = httpRequest(service.url + path, { agent: kept, headers: { 'X-ServiceToken': ada.token } });
      asked.on('response', (answer) => {
        const port = answer.socket.localPort;
        answer.resume().on('end', () => resolve([answer.statusCode, port]));
      });
      asked.on('error', reject).end();
    });
  }

  const newcomer = async (): Promise<number> => {
    const head = rawHead(
      `GET ${path} HTTP/1.1`,
      'Host: localhost',
      `X-ServiceToken: ${ada.token}`,
      'Connection: close',
    );
    return (await sendRaw(service.url, head)).status;
  };

  const halves = {
    'half a sign-in': rawHead('POST /services/v3/tokens/active HTTP/1.1', 'Host: localhost', 'Content-Length: 60000'),
    'half of what was refused': rawHead(
      'POST /services/v3/projects HTTP/1.1',
      'Host: localhost',
      'Content-Length: 60000',
    ),
  };

  for (const [what, head] of Object.entries(halves)) {
    it(`lets newcomers in and keeps whom it knows while others send ${what} over each`, async () => {
      const before = await askOverKept();
      assert.equal(before[0], 200);
      await take(`${head}username=a`);
      for (let count = 0; count < 5; count += 1) assert.equal(await newcomer(), 200);
      assert.deepEqual(await askOverKept(), before);
      assert.ok(sockets.some((socket) => !socket.destroyed));
    });
  }
});
