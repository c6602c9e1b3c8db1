import assert from 'node:assert/strict';
import { Seeded } from '../support/measures/seeded.ts';
import { AttackedService } from './support/attackedService.ts';
import { heapInUse } from './support/heapInUse.ts';
import { onPostgres } from './support/testDatabase.ts';

/** `FUZZ_REQUESTS` of a long run, which `scripts/attackService.ts requests` starts; of all three tests together. */
const LONG = process.env.FUZZ_REQUESTS;
const REQUESTS = Number(LONG ?? (onPostgres ? 1_500 : 4_500));
const EACH = REQUESTS / 3;
/** `FUZZ_SEED` of an earlier run sends the same. */
const SEED = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
const LIMIT = 60_000 + REQUESTS * 100;
/** Bytes that may be in use at the end and were not after a third. */
const GROWTH = 4 * 1024 * 1024;

describe(`Requests that are not right (FUZZ_SEED=${SEED})`, () => {
  let service: AttackedService;

  afterEach(() => service.close());

  function tell(text: string): void {
    if (LONG !== undefined) process.stdout.write(`      ${text}\n`);
  }

  it('are answered all the same when they are HTTP, and never with a mistake of the service', async function () {
    this.timeout(LIMIT);
    service = await AttackedService.open(new Seeded(SEED));
    await service.attackWithRequests(EACH);
    await service.assertWell();
    tell(service.statuses());
  });

  it('do no harm when they are not even that', async function () {
    this.timeout(LIMIT);
    service = await AttackedService.open(new Seeded(SEED + 1));
    await service.attackWithBytes(EACH);
    await service.assertWell();
    tell(service.statuses());
  });

  it('leave nothing in memory when they are refused', async function () {
    this.timeout(LIMIT);
    service = await AttackedService.open(new Seeded(SEED + 2));
    await service.attackAsStranger(EACH / 3);
    const before = heapInUse();
    await service.attackAsStranger((EACH * 2) / 3);
    const growth = heapInUse() - before;
    tell(`${(growth / 1024 / 1024).toFixed(2)} MiB more in use`);
    assert.ok(growth < GROWTH, `${growth} bytes more`);
  });
});
