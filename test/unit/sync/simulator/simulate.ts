import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../../../src/core/errors.ts';
import { World } from './world.ts';

/** In memory where there is such a place: what counts here is the order of writes, not how they reach a disk. */
const place = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

export interface Simulation {
  readonly seed: number;
  readonly trace: string;
  /** What was thrown, where a claim did not hold. */
  readonly failure?: Error;
}

/** Runs one world; the same seed does the same every time. */
export async function simulate(seed: number): Promise<Simulation> {
  const folder = await mkdtemp(join(place, 'story-tracker-sim-'));
  const world = new World(seed, folder);
  try {
    await world.run();
    return { seed, trace: world.trace.text() };
  } catch (thrown) {
    const failure = thrown instanceof Error ? thrown : new Error(messageOf(thrown));
    return { seed, trace: world.trace.text(), failure };
  } finally {
    world.close();
    await rm(folder, { recursive: true, force: true });
  }
}
