import assert from 'node:assert/strict';
import { MessageChannel } from 'node:worker_threads';
import { TrackerError } from '../../../src/core/errors.ts';
import { Peer } from '../../../src/remote/peer.ts';
import { remoteService } from '../../../src/remote/services.ts';

interface Oven {
  bake(bread: string, options?: Options): Promise<string>;
  burn(): Promise<void>;
}

interface Options {
  readonly degrees?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => unknown;
}

describe('Peer', () => {
  let near: Peer;
  let far: Peer;
  let close: () => void;

  beforeEach(() => {
    const { port1, port2 } = new MessageChannel();
    near = new Peer(port1);
    far = new Peer(port2);
    close = () => port1.close();
  });
  afterEach(() => close());

  function oven(given: Partial<Oven>): Oven {
    far.expose('oven', given);
    return remoteService<Oven>((method, args) => near.call('oven', method, args));
  }

  it('calls methods over there and brings back what they give', async () => {
    const { bake } = oven({ bake: async (bread, options) => `${bread} at ${options?.degrees}` });
    assert.equal(await bake('rye', { degrees: 230 }), 'rye at 230');
  });

  it('brings back errors with all that decides what to do next', async () => {
    const details = { request: 'GET /ovens', status: 503, retryAfter: 2000 };
    const { burn } = oven({
      burn: async () => {
        throw new TrackerError('busy', 'All ovens are full.', details);
      },
    });
    await assert.rejects(burn(), (error) => {
      assert.ok(error instanceof TrackerError);
      assert.deepEqual(
        [error.kind, error.message, error.request, error.status, error.retryAfter],
        ['busy', 'All ovens are full.', 'GET /ovens', 503, 2000],
      );
      return true;
    });
  });

  it('tells progress while the call is under way', async () => {
    const { bake } = oven({
      bake: async (bread, options) => {
        options?.onProgress?.(1, 2);
        options?.onProgress?.(2, 2);
        return bread;
      },
    });
    const seen: (readonly number[])[] = [];
    await bake('rye', { onProgress: (...progress) => seen.push(progress) });
    assert.deepEqual(seen, [
      [1, 2],
      [2, 2],
    ]);
  });

  it('lets the other side wait until what it told has been taken', async () => {
    const order: string[] = [];
    const { bake } = oven({
      bake: async (bread, options) => {
        for (const done of [1, 2]) {
          await options?.onProgress?.(done, 2);
          order.push(`went on after ${done}`);
        }
        return bread;
      },
    });
    await bake('rye', { onProgress: (done) => order.push(`took ${done}`) });
    assert.deepEqual(order, ['took 1', 'went on after 1', 'took 2', 'went on after 2']);
  });

  it('lets nobody wait for ever after the call has ended', async () => {
    const told: unknown[] = [];
    const { bake } = oven({
      bake: async (bread, options) => {
        told.push(options?.onProgress?.(1, 2));
        setImmediate(() => told.push(options?.onProgress?.(2, 2)));
        return bread;
      },
    });
    await bake('rye', { onProgress: () => undefined });
    while (told.length < 2) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(await Promise.all(told), [undefined, undefined]);
  });

  it('cancels the call over there', async () => {
    const { bake } = oven({
      bake: (_, options) =>
        new Promise((_resolve, reject) => {
          options?.signal?.addEventListener('abort', () => reject(new TrackerError('cancelled', 'Canceled.')));
        }),
    });
    const controller = new AbortController();
    const baking = bake('rye', { signal: controller.signal });
    controller.abort();
    await assert.rejects(baking, { kind: 'cancelled' });
    await assert.rejects(bake('rye', { signal: controller.signal }), { kind: 'cancelled' });
  });

  it('rejects what is under way, and what comes later, when the other side has ended', async () => {
    const { burn } = oven({ burn: () => new Promise(() => undefined) });
    const burning = burn();
    near.close(new TrackerError('unreachable', 'Gone.'));
    await assert.rejects(burning, { kind: 'unreachable' });
    await assert.rejects(burn(), { kind: 'unreachable' });
  });

  it('answers only what was exposed', async () => {
    far.expose('oven', { bake: async () => 'bread' });
    await assert.rejects(near.call('oven', 'open', []), /Nothing here answers oven\.open/);
    far.withdraw('oven');
    await assert.rejects(near.call('oven', 'bake', []), /Nothing here answers oven\.bake/);
  });
});
