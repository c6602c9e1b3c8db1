/**
 * The long run of the simulator: `npm run node -- scripts/simulate.ts [--seeds 200000] [--first 0]`. Prints the seed and the end of the trace of every
 * world in which a claim does not hold, and ends with 1 when there was one. `SIM_SEED=17` before the unit tests runs one world alone.
 */
import { parseArgs } from 'node:util';
import { simulateAll } from '../test/unit/sync/simulator/simulateAll.ts';

const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '20000' }, first: { type: 'string', default: '0' } },
});
const [seeds, first] = [Number(values.seeds), Number(values.first)];
/** Lines of a trace that are printed. */
const LAST = 60;
const PROGRESS = 1000;

const failed: number[] = [];
let done = 0;
const start = performance.now();
await simulateAll({
  ...{ first, count: seeds },
  onDone({ seed, trace, failure }) {
    done++;
    if (failure) {
      failed.push(seed);
      process.stdout.write(`seed ${seed}:\n${trace.split('\n').slice(-LAST).join('\n')}\n${failure.stack}\n\n`);
    }
    if (done % PROGRESS === 0) process.stdout.write(`${done} worlds, ${failed.length} failed\n`);
  },
});
const each = ((performance.now() - start) / seeds).toFixed(1);
process.stdout.write(
  `${seeds} worlds from seed ${first}, ${each} ms each, ${failed.length} failed: ${failed.join(' ')}\n`,
);
process.exitCode = failed.length > 0 ? 1 : 0;
