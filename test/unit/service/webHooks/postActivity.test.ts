import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { mock } from 'node:test';
import type { FindAddresses } from '../../../../src/service/webHooks/nameLookups.ts';
import { post } from '../../../../src/service/webHooks/postActivity.ts';
import { eventually } from '../../../support/eventually.ts';

describe('a post to a receiver', () => {
  const rules = { allowsLoopback: true, allowsPrivate: false };
  const times = { connect: 2_000, head: 2_000, rest: 300 };
  let servers: (Server | TcpServer)[];

  beforeEach(() => {
    servers = [];
  });
  afterEach(() => {
    mock.timers.reset();
    for (const server of servers) server.close();
  });

  async function portOf(server: Server | TcpServer): Promise<number> {
    servers.push(server.listen(0, '127.0.0.1').unref());
    await once(server, 'listening');
    const { port }: AddressInfo = Object(server.address());
    return port;
  }

  const receive = (listener: RequestListener) => portOf(createServer({ keepAlive: false }, listener));

  /** A name that leads to these addresses, the first time, the second time and so on. */
  function leads(...to: readonly (readonly string[])[]): { addressesOf: FindAddresses; asked: () => number } {
    let asked = 0;
    const addressesOf: FindAddresses = async () => {
      asked += 1;
      return (to[asked - 1] ?? to.at(-1) ?? []).map((address) => ({ address, family: 4 }));
    };
    return { addressesOf, asked: () => asked };
  }

  const send = (url: string, more: Partial<Parameters<typeof post>[0]> = {}) =>
    post({
      ...{ url: new URL(url), headers: { 'X-Told': 'yes' }, body: '<activity/>\n', rules, times },
      ...{ addressesOf: leads(['127.0.0.1']).addressesOf, signal: new AbortController().signal },
      ...more,
    });

  it('carries its headers and body, by name', async () => {
    const came: unknown[] = [];
    const port = await receive(async (request, response) => {
      const { method, url, headers } = request;
      came.push([method, url, headers.host, headers['x-told'], headers['content-length'], await text(request)]);
      response.end();
    });
    await send(`http://receiver.test:${port}/a?b=c`);
    assert.deepEqual(came, [['POST', '/a?b=c', `receiver.test:${port}`, 'yes', '12', '<activity/>\n']]);
  });

  it('goes to the address that was looked at, however the name leads elsewhere then', async () => {
    let came = 0;
    const port = await receive((_, response) => {
      came += 1;
      response.end();
    });
    const rebinding = leads(['127.0.0.1'], ['169.254.169.254']);
    await send(`http://rebinds.test:${port}/`, rebinding);
    assert.deepEqual([came, rebinding.asked()], [1, 1]);
    await assert.rejects(send(`http://rebinds.test:${port}/`, rebinding), /not an allowed web hook address/);
    await send(`http://both.test:${port}/`, leads(['169.254.169.254', '10.0.0.1', '127.0.0.1']));
    assert.equal(came, 2);
  });

  it('never begins where the receiver may not be', async () => {
    const port = await receive(() => assert.fail('It was reached.'));
    const strict = { rules: { allowsLoopback: false, allowsPrivate: false } };
    for (const host of ['receiver.test', '127.0.0.1', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1']) {
      await assert.rejects(send(`http://${host}:${port}/`, strict), /is this machine/, host);
    }
    await assert.rejects(send(`http://0:${port}/`), /0\.0\.0\.0 is not an allowed/);
  });

  it('is given up when no connection comes about in time, by a name or by TLS that is never answered', async () => {
    const quick = { times: { ...times, connect: 100 } };
    const never: FindAddresses = () => new Promise(() => undefined);
    await assert.rejects(
      send('http://silent.test/', { ...quick, addressesOf: never }),
      /took too long to be connected/,
    );
    const sockets: { destroy(): void }[] = [];
    const port = await portOf(createTcpServer((socket) => void sockets.push(socket.on('error', () => undefined))));
    await assert.rejects(send(`https://silent.test:${port}/`, quick), /took too long to be connected/);
    for (const socket of sockets) socket.destroy();
  });

  it('is given up when the head of an answer does not come in time, even if it comes bit by bit', async () => {
    const quick = { times: { ...times, head: 150 } };
    const port = await portOf(
      createTcpServer((socket) => {
        socket.on('error', () => undefined).write('HTTP/1.1 200 OK\r\n');
        const dripping = setInterval(() => socket.write('X-More: more\r\n'), 10);
        socket.on('close', () => clearInterval(dripping));
      }),
    );
    await assert.rejects(send(`http://127.0.0.1:${port}/`, quick), /took too long to answer/);
  });

  it('fails at what is no HTTP, at heads without end and at answers nobody asked for', async () => {
    const heads = [
      'SSH-2.0-x\r\n\r\n',
      `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}`,
      'HTTP/1.1 101 Go\r\nUpgrade: x\r\n\r\n',
    ];
    for (const head of heads) {
      const port = await portOf(createTcpServer((socket) => void socket.on('error', () => undefined).write(head)));
      await assert.rejects(
        send(`http://127.0.0.1:${port}/`),
        /could not be reached|cut the connection|answered 101/,
        head.slice(0, 20),
      );
    }
  });

  const answers: readonly [claim: string, raw: string, failure?: RegExp][] = [
    ['204', 'HTTP/1.1 204 No Content\r\n\r\n'],
    ['HTTP/1.0 and a body up to the end of the connection', 'HTTP/1.0 200 OK\r\n\r\nwell'],
    ['hints before the answer', 'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ['a body that is no gzip', 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx'],
    ['410', 'HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n', /answered 410\.$/],
    ['500 of HTTP/1.0', 'HTTP/1.0 500 Oops\r\n\r\n', /answered 500\.$/],
    ['nothing', '', /cut the connection/],
    ['one word', 'HTTP/1.1', /cut the connection|could not be reached/],
    [
      'a length that is two',
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx',
      /could not be reached/,
    ],
  ];
  for (const [claim, raw, failure] of answers) {
    it(`${failure ? 'fails at' : 'is done with'} an answer of ${claim}`, async () => {
      const port = await portOf(
        createTcpServer((socket) => void socket.on('error', () => undefined).once('data', () => socket.end(raw))),
      );
      const sent = send(`http://127.0.0.1:${port}/`);
      if (failure) await assert.rejects(sent, failure);
      else await sent;
    });
  }

  const rests: Readonly<Record<string, number>> = {
    'Retry-After: 120\r\n': 120_000,
    'Retry-After:  5 \r\n': 5_000,
    'Retry-After: Sat, 21 Nov 2026 12:01:00 GMT\r\n': 60_000,
    'Retry-After: Sat, 21 Nov 2026 11:00:00 GMT\r\n': 0,
    'Retry-After: soon\r\n': 0,
    'Retry-After: -5\r\n': 0,
    '': 0,
  };
  for (const [header, restFor] of Object.entries(rests)) {
    it(`that fails with "${header.trim()}" rests for ${restFor} ms`, async () => {
      mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 10, 21, 12) });
      const raw = `HTTP/1.1 503 Busy\r\n${header}Content-Length: 0\r\n\r\n`;
      const port = await portOf(
        createTcpServer((socket) => void socket.on('error', () => undefined).once('data', () => socket.end(raw))),
      );
      await assert.rejects(send(`http://127.0.0.1:${port}/`), { name: 'DeliveryFailure', restFor });
    });
  }

  it('is cut off after a piece of an answer that is very long', async () => {
    let isCut = false;
    const port = await portOf(
      createTcpServer((socket) => {
        const more = (): void => {
          while (!socket.destroyed && socket.write(Buffer.alloc(1_000_000)));
        };
        socket.on('error', () => undefined).on('drain', more);
        socket.once('close', () => {
          isCut = true;
        });
        socket.once('data', () => {
          socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n');
          more();
        });
      }),
    );
    await send(`http://127.0.0.1:${port}/`);
    await eventually(() => assert.ok(isCut));
  });

  it('ends at once when it is broken off', async () => {
    const port = await receive(() => breaking.abort());
    const breaking = new AbortController();
    await assert.rejects(send(`http://127.0.0.1:${port}/`, { signal: breaking.signal }), { name: 'DeliveryFailure' });
    await assert.rejects(send(`http://127.0.0.1:${port}/`, { signal: AbortSignal.abort() }), {
      name: 'DeliveryFailure',
    });
  });

  it('says in its failures nothing of the address', async () => {
    const port = await receive((_, response) => response.writeHead(500).end());
    const url = `http://name:password@127.0.0.1:${port}/token-1234?key=5678`;
    await assert.rejects(send(url), (error: Error) => {
      assert.equal(error.message, 'The receiver answered 500.');
      return true;
    });
  });
});
