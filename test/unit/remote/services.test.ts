import assert from 'node:assert/strict';
import { MessageChannel } from 'node:worker_threads';
import { Peer } from '../../../src/remote/peer.ts';
import { connect, remoteService, serve } from '../../../src/remote/services.ts';

interface Services {
  readonly clock: { now(): number };
  readonly oven: { bake(bread: string): Promise<string> };
}

describe('services of another thread', () => {
  it('are asked by their names', async () => {
    const { port1, port2 } = new MessageChannel();
    const near = new Peer(port1);
    serve<Services>(new Peer(port2), { clock: { now: () => 12 }, oven: { bake: async (bread) => `warm ${bread}` } });
    const { clock, oven } = connect<Services>((service, method, args) => near.call(service, method, args));
    assert.deepEqual([await clock.now(), await oven.bake('rye')], [12, 'warm rye']);
    port1.close();
  });

  it('keep their calls, which need no object', async () => {
    const calls: unknown[] = [];
    const oven = remoteService<Services['oven']>(async (method, args) => calls.push([method, args]));
    const { bake } = oven;
    assert.equal(bake, oven.bake);
    await bake('rye');
    assert.deepEqual(calls, [['bake', ['rye']]]);
  });

  it('are no promises', async () => {
    const oven = remoteService<Services['oven']>(() => assert.fail('nobody asked'));
    assert.equal(await oven, oven);
  });
});
