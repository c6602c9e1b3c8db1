import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { MailSpool } from '../../../../../src/service/mail/reply/mailSpool.ts';
import { heapInUse } from '../../../../service/support/heapInUse.ts';

const stream = (...sizes: readonly number[]) => Readable.from(sizes.map((size) => Buffer.alloc(size, 1)));
/** Milliseconds in which what is still under way comes to its end. */
const LATE_MS = 100;
/** After which a file that is made too late was seen, as good as always. */
const ROUNDS = 60;
const TOO_MANY = { responseCode: 452, message: /Too many emails at once/ };

describe('mails that are being received', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-spool-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  function spoolOf(limits: { longest?: number; short?: number; mostOfOne?: number; most?: number; readOn?: number }) {
    return new MailSpool(folder, { longest: 10, short: 10, mostOfOne: 100, most: 100, readOn: 100, ...limits });
  }

  it('are files until they are done with, called as drafts are', async () => {
    const mail = await spoolOf({}).receive(stream(3, 4), 'ben');
    assert.deepEqual(await readFile(mail.path), Buffer.alloc(7, 1));
    assert.match((await readdir(folder)).join(), /^\.[0-9a-f]{16}$/);
    await mail.remove();
    assert.deepEqual(await readdir(folder), []);
  });

  it('are not kept when they are too long, and read on only as long as is worth an answer', async () => {
    const tooLong = { responseCode: 552, message: /at most/ };
    const short = stream(6, 6, 6);
    await assert.rejects(spoolOf({}).receive(short, 'ben'), tooLong);
    assert.ok(short.readableEnded);
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(6);
      })(),
    );
    await assert.rejects(spoolOf({ readOn: 20 }).receive(endless, 'ben'), tooLong);
    assert.ok(endless.destroyed && !endless.readableEnded);
    assert.deepEqual(await readdir(folder), []);
  });

  it('leave no file behind, however many are refused at once', async () => {
    const spool = spoolOf({ mostOfOne: 10_000, most: 10_000 });
    for (let round = 0; round < ROUNDS; round += 1) {
      const all = await Promise.allSettled(Array.from({ length: 50 }, () => spool.receive(stream(6, 6), 'ben')));
      assert.ok(all.every(({ status }) => status === 'rejected'));
    }
    await wait(LATE_MS);
    assert.deepEqual(await readdir(folder), []);
  });

  it('are at most so many at once, and of one person fewer, until they are done with', async () => {
    const spool = spoolOf({ mostOfOne: 15, most: 25 });
    const first = await spool.receive(stream(10), 'ben');
    await assert.rejects(spool.receive(stream(10), 'ben'), TOO_MANY);
    await spool.receive(stream(10), 'ada');
    await spool.receive(stream(5), 'ben');
    await assert.rejects(spool.receive(stream(1), 'cleo'), TOO_MANY);
    assert.throws(() => spool.refuseBeyondRoom(1), TOO_MANY);
    await first.remove();
    spool.refuseBeyondRoom(10);
    await spool.receive(stream(10), 'cleo');
  });

  it('have room to their end once they are long, so that not all of them fail halfway', async () => {
    const spool = spoolOf({ short: 2, most: 25 });
    const all = await Promise.allSettled(Array.from({ length: 5 }, () => spool.receive(stream(1, 2, 3, 4), 'ben')));
    assert.ok(all.filter(({ status }) => status === 'fulfilled').length >= 2, JSON.stringify(all));
  });

  it('make room again when a sender breaks off', async () => {
    const spool = spoolOf({ most: 10 });
    const broken = Readable.from(
      (async function* () {
        yield Buffer.alloc(8);
        throw new Error('gone');
      })(),
    );
    await assert.rejects(spool.receive(broken, 'ben'), /gone/);
    await spool.receive(stream(10), 'ben');
    assert.equal((await readdir(folder)).length, 1);
  });

  it('take little memory, however small the chunks', async () => {
    const [count, size] = [200_000, 30];
    const before = heapInUse();
    let most = 0;
    const tiny = Readable.from(
      (function* () {
        for (let index = 1; index <= count; index++) {
          yield Buffer.alloc(size, index);
          if (index % 50_000 === 0) most = Math.max(most, heapInUse() - before);
        }
      })(),
    );
    const limits = { longest: count * size, short: count, mostOfOne: count * size, most: count * size };
    await spoolOf(limits).receive(tiny, 'ben');
    assert.ok(most < (count * size) / 2, `${most} bytes for ${count * size}`);
  }).timeout(90_000);
});
