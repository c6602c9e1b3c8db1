import { Seeded } from '../support/measures/seeded.ts';
import { ImportKills } from './support/importKills.ts';

/** `IMPORT_KILLS` of a long run, which `scripts/attackService.ts imports` starts. */
const LONG = process.env.IMPORT_KILLS;
const KILLS = Number(LONG ?? 4);
/** Enough that kills hit imports at all stages. */
const ROWS = LONG === undefined ? 600 : 3_000;
/** `IMPORT_SEED` of an earlier run: the same moments, in so far as the machine is as fast. */
const SEED = Number(process.env.IMPORT_SEED ?? Math.floor(Math.random() * 2 ** 31));
const LIMIT = 180_000 + KILLS * 60_000;

describe(`An import that is killed (IMPORT_SEED=${SEED})`, () => {
  it('leaves the whole project or nothing of it once the service has started again, and can be repeated', async function () {
    this.timeout(LIMIT);
    const kills = await ImportKills.open(new Seeded(SEED), ROWS);
    try {
      for (let count = 0; count < KILLS; count += 1) await kills.killOne();
      await kills.importOnce();
      if (LONG !== undefined) process.stdout.write(`      ${kills.summary}\n`);
    } finally {
      await kills.close();
    }
  });
});
