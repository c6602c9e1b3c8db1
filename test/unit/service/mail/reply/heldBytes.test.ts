import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { HeldBytes } from '../../../../../src/service/mail/reply/heldBytes.ts';

const stream = (...sizes: readonly number[]) => Readable.from(sizes.map((size) => Buffer.alloc(size, 1)));

describe('bytes of mails that are held', () => {
  it('are those of the stream', async () => {
    const held = new HeldBytes(10, 20);
    assert.deepEqual(await held.collect(stream(3, 4)), Buffer.alloc(7, 1));
    assert.deepEqual(await held.collect(stream()), Buffer.alloc(0));
  });

  it('are none of a mail that is too long, which is read to its end all the same', async () => {
    const long = stream(6, 6, 6);
    assert.equal(await new HeldBytes(10, 100).collect(long), undefined);
    assert.ok(long.readableEnded);
  });

  it('are at most so many at once, and free again when they are released', async () => {
    const held = new HeldBytes(10, 15);
    const first = await held.collect(stream(10));
    assert.equal(await held.collect(stream(10)), undefined);
    assert.equal((await held.collect(stream(5)))?.length, 5);
    held.release(first?.length ?? 0);
    assert.equal((await held.collect(stream(10)))?.length, 10);
  });

  it('take little more memory than they are, however small the chunks', async () => {
    const [count, size] = [1_000_000, 3];
    setFlagsFromString('--expose-gc');
    const collectGarbage: () => void = runInNewContext('gc');
    const held = () => {
      collectGarbage();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const before = held();
    let most = 0;
    const tiny = Readable.from(
      (function* () {
        for (let index = 1; index <= count; index++) {
          yield Buffer.alloc(size, index);
          if (index === count) most = held() - before;
        }
      })(),
    );
    assert.equal((await new HeldBytes(count * size, count * size).collect(tiny))?.length, count * size);
    assert.ok(most < 4 * count * size, `${most} bytes for ${count * size}`);
  }).timeout(20_000);

  it('are free again when a sender breaks off', async () => {
    const held = new HeldBytes(10, 10);
    const broken = Readable.from(
      (async function* () {
        yield Buffer.alloc(8);
        throw new Error('gone');
      })(),
    );
    await assert.rejects(held.collect(broken), /gone/);
    assert.equal((await held.collect(stream(10)))?.length, 10);
  });
});
