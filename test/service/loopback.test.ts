import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { ownAddress } from './support/ownAddress.ts';
import { startTestService } from './support/testService.ts';

describe('a service that is not told where to listen', () => {
  it('is reached from its own machine, by loopback, and not from any network', async function () {
    const address = ownAddress();
    if (address === undefined) return this.skip();
    const service = await startTestService();
    const { hostname, port } = new URL(service.url);
    assert.equal(hostname, '127.0.0.1');
    const socket = connect(Number(port), address);
    const [error] = await Promise.race([once(socket, 'error'), once(socket, 'connect')]);
    socket.destroy();
    await service.stop();
    assert.equal(Object(error).code, 'ECONNREFUSED');
  });
});
