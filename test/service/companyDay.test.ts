import assert from 'node:assert/strict';
import { CompanyDay, type DayOptions } from './support/day/companyDay.ts';
import { onPostgres } from './support/testDatabase.ts';

/** Seconds of a long day, which `scripts/attackService.ts day` runs. */
const LONG = process.env.SERVICE_DAY;
/** `DAY_SEED` of an earlier run: the same people do the same, in so far as processes run at the same pace. */
const SEED = Number(process.env.DAY_SEED ?? Math.floor(Math.random() * 2 ** 31));
const processes = onPostgres ? 2 : 1;
const SHORT: DayOptions = {
  ...{ seed: SEED, length: 4, processes, pace: 400 },
  ...{ projects: 5, windows: 12, changes: 12, imported: 30 },
};
const WHOLE: DayOptions = {
  ...{ seed: SEED, length: Number(LONG), processes, pace: 5_000 },
  ...{ projects: 40, windows: 300, changes: 60, imported: 1_000 },
};

describe(`A day of a company (DAY_SEED=${SEED})`, () => {
  it('loses nothing, and every window sees each change once and in order, though a process and the database go away', async function () {
    this.timeout(LONG === undefined ? 120_000 : 0);
    const day = await CompanyDay.begin(LONG === undefined ? SHORT : WHOLE);
    try {
      await day.run();
      assert.ok(day.times.answered('edit') > 0 && day.times.answered('import') > 0);
    } finally {
      if (LONG !== undefined) process.stdout.write(`${day.summary}\n`);
      await day.close();
    }
  });
});
