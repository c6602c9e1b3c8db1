import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { hasAgentDoor } from '../../../../src/client/check/agentDoor.ts';
import { plainNetwork } from '../../../../src/core/ports/connection.ts';
import { listen } from '../../../support/servers/testServer.ts';
import { silentLog } from '../../../support/silentLog.ts';

describe('asking whether a server speaks with agents', () => {
  assertDoor(true, 'takes POST there and nothing else', (response) => response.writeHead(405, { Allow: 'POST' }));
  assertDoor(false, 'has no such address', (response) => response.writeHead(404));
  assertDoor(false, 'came without that part', (response) => response.writeHead(501));
  assertDoor(false, 'has a page for everything', (response) => response.writeHead(200));
  assertDoor(false, 'takes other methods there', (response) => response.writeHead(405, { Allow: 'GET, POST' }));
  assertDoor(false, 'leads elsewhere', (response) => response.writeHead(307, { Location: '/door' }));

  it('is answered with no where nothing listens', async () => {
    const server = await listen(() => undefined);
    await server.close();
    assert.equal(await hasAgentDoor({ baseUrl: server.url, network: plainNetwork, log: silentLog }), false);
  });
});

function assertDoor(expected: boolean, title: string, answer: (response: ServerResponse) => ServerResponse): void {
  it(`is answered with ${expected ? 'yes' : 'no'} by one that ${title}`, async () => {
    const asked: IncomingMessage[] = [];
    const server = await listen((request, response) => {
      asked.push(request);
      if (request.url === '/door') response.writeHead(405, { Allow: 'POST' }).end();
      else answer(response).end();
    });
    try {
      const baseUrl = `${server.url}/tracker/`;
      assert.equal(await hasAgentDoor({ baseUrl, network: plainNetwork, log: silentLog }), expected);
      assert.deepEqual(
        asked.map(({ method, url }) => `${method} ${url}`),
        ['GET /tracker/mcp'],
      );
      assert.deepEqual(
        Object.keys(asked[0]?.headers ?? {}).filter((name) => /token|authorization/.test(name)),
        [],
      );
    } finally {
      await server.close();
    }
  });
}
