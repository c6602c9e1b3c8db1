import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { openPostgres } from '../../../src/service/store/postgres/openPostgres.ts';

/** A thread that opens a store, says so when it writes to it alone, and then does nothing any more, as a process that was stopped. */
const { address, patience, pace, signal } = workerData;
const store = await openPostgres(address, { lockPatience: patience, pace });
while (typeof store.stamp() !== 'string') await wait(10);
parentPort?.postMessage('alone');
Atomics.wait(signal, 0, 0);
// It goes on: what it believed is no longer believed.
const stamp = store.stamp();
parentPort?.postMessage(typeof stamp);
await stamp;
await store.close();
