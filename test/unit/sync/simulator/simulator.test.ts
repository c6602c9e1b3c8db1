import assert from 'node:assert/strict';
import { type Simulation, simulate } from './simulate.ts';

const FIRST = Number(process.env.SIM_SEED ?? 0);
const SEEDS = Number(process.env.SIM_SEEDS ?? (process.env.SIM_SEED ? 1 : 2000));
const LINES = 80;

/** `SIM_SEED=17` runs that one alone, `SIM_SEEDS=20000` so many from there. */
describe('Windows that share a file, in simulated time', () => {
  it(`end equal to the server, whatever the network, the disk, other people and kills do, in ${SEEDS} worlds`, async function () {
    this.timeout(60_000 + SEEDS * 200);
    for (let seed = FIRST; seed < FIRST + SEEDS; seed++) assertHolds(await simulate(seed));
  });

  it('do the same again for the same seed', async () => {
    for (let seed = FIRST; seed < FIRST + 20; seed++) {
      assert.equal((await simulate(seed)).trace, (await simulate(seed)).trace, `seed ${seed}`);
    }
  });
});

function assertHolds({ seed, trace, failure }: Simulation): void {
  if (!failure) return;
  const end = trace.split('\n').slice(-LINES).join('\n');
  throw new Error(`Seed ${seed}; run it alone with SIM_SEED=${seed}.\n${end}\n${failure.message}`, { cause: failure });
}
