import assert from 'node:assert/strict';
import { Seeded } from '../unit/sync/seeded.ts';
import { AttackedService } from './support/attackedService.ts';
import { heapInUse } from './support/heapInUse.ts';
import { onPostgres } from './support/testDatabase.ts';

/** `FUZZ_REQUESTS` of a long run, which `scripts/attackService.ts requests` starts; of both tests together. */
const LONG = process.env.FUZZ_REQUESTS;
const REQUESTS = Number(LONG ?? (onPostgres ? 1_200 : 4_000));
/** `FUZZ_SEED` of an earlier run sends the same. */
const SEED = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
const LIMIT = 60_000 + REQUESTS * 100;
/** Bytes by which what is in use may grow, once caches are as full as they get. */
const GROWTH = 24 * 1024 * 1024;

describe(`Requests that are not right (FUZZ_SEED=${SEED})`, () => {
  let service: AttackedService;

  afterEach(() => service.close());

  /** In parts, the first of which fills what the service keeps. */
  async function staysWell(attack: (count: number) => Promise<void>): Promise<void> {
    await attack(REQUESTS / 4);
    const before = heapInUse();
    await attack(REQUESTS / 4);
    await service.assertWell();
    const growth = heapInUse() - before;
    if (LONG === undefined) return;
    process.stdout.write(`      ${REQUESTS / 2} sent, ${(growth / 1024 / 1024).toFixed(1)} MiB more in use\n`);
    assert.ok(growth < GROWTH, `${growth} bytes more`);
  }

  it('are answered all the same when they are HTTP, and never with a mistake of the service', async function () {
    this.timeout(LIMIT);
    service = await AttackedService.open(new Seeded(SEED));
    await staysWell((count) => service.attackWithRequests(count));
  });

  it('do no harm when they are not even that', async function () {
    this.timeout(LIMIT);
    service = await AttackedService.open(new Seeded(SEED + 1));
    await staysWell((count) => service.attackWithBytes(count));
  });
});
