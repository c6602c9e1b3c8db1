import assert from 'node:assert/strict';
import { type Simulation, simulate } from './simulate.ts';
import { simulateAll } from './simulateAll.ts';

const FIRST = Number(process.env.SIM_SEED ?? 0);
const SEEDS = Number(process.env.SIM_SEEDS ?? (process.env.SIM_SEED ? 1 : 2000));
const LINES = 80;

/** `SIM_SEED=17` runs that one alone, `SIM_SEEDS=20000` so many from there. */
describe('Windows that share a file, in simulated time', () => {
  it(`end equal to the server, each wish done once, whatever goes wrong in the meantime, in ${SEEDS} worlds`, async function () {
    this.timeout(120_000 + SEEDS * 500); // On a machine that is busy with other things too.
    const failed: Simulation[] = [];
    const onDone = (simulation: Simulation) => {
      if (simulation.failure) failed.push(simulation);
    };
    await simulateAll({ first: FIRST, count: SEEDS, onDone });
    const [worst] = failed.toSorted((one, other) => one.trace.length - other.trace.length);
    if (worst) throw new Error(`${failed.length} of ${SEEDS} worlds fail, the shortest is ${told(worst)}`);
  });

  it('do the same again for the same seed', async function () {
    this.timeout(60_000);
    for (let seed = FIRST; seed < FIRST + 10; seed++) {
      assert.equal((await simulate(seed)).trace, (await simulate(seed)).trace, `seed ${seed}`);
    }
  });
});

function told({ seed, trace, failure }: Simulation): string {
  const end = trace.split('\n').slice(-LINES).join('\n');
  return `seed ${seed}; run it alone with SIM_SEED=${seed}.\n${end}\n${failure?.stack}`;
}
