import assert from 'node:assert/strict';
import { parentPort, workerData } from 'node:worker_threads';
import { simulate } from './simulate.ts';

/** Every so many seeds from one on, below an end. */
export interface Share {
  readonly from: number;
  readonly every: number;
  readonly end: number;
}

assert.ok(parentPort, 'This file runs as a worker thread.');
const { from, every, end } = workerData as Share;
for (let seed = from; seed < end; seed += every) parentPort.postMessage(await simulate(seed));
