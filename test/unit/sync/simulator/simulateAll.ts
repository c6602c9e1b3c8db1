import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Simulation } from './simulate.ts';
import type { Share } from './simulatorThread.ts';

export interface Seeds {
  readonly first: number;
  readonly count: number;
  readonly onDone: (simulation: Simulation) => void;
}

/** Runs so many worlds, on as many threads as the machine has processors; each is told of when it is over. */
export async function simulateAll({ first, count, onDone }: Seeds): Promise<void> {
  const every = Math.min(count, availableParallelism());
  const shares = Array.from({ length: every }, (_, index): Share => {
    return { from: first + index, every, end: first + count };
  });
  await Promise.all(shares.map((share) => ended(share, onDone)));
}

async function ended(share: Share, onDone: (simulation: Simulation) => void): Promise<void> {
  const worker = new Worker(new URL('./simulatorThread.ts', import.meta.url), { workerData: share });
  worker.on('message', onDone);
  const [code] = await once(worker, 'exit');
  if (code !== 0) throw new Error(`A thread of the simulator ended with ${code}.`);
}
