import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReorderWorld } from './reorderWorld.ts';

/** Each with some dozens of moves; more of them in a long run. */
const SEEDS = Number(process.env.REORDER_SEEDS ?? 100);
const FIRST = Number(process.env.REORDER_FIRST ?? 0);

describe('Several people who put the same stories in order', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-reorder-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('see in the end what the server has, and no move gets lost without a word', async function () {
    this.timeout(60_000 + SEEDS * 1000);
    for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
      const world = await ReorderWorld.open(seed, folder);
      try {
        await world.run();
      } catch (thrown) {
        throw new Error(`seed ${seed}`, { cause: thrown });
      } finally {
        world.close();
      }
    }
  });
});
