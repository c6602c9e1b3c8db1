import { Agent, request as httpRequest } from 'node:http';
import { request as httpsRequest, Agent as TlsAgent } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { memoryOf, type Wait, waitedForMachine, waitedForProcessor } from './serviceWatch.ts';

/**
 * Asks the service for something small again and again, as someone who has nothing to do with the attack, and tells how long each
 * answer took and how much memory the service had. In a thread of its own, so that it does not wait for what the attack does here.
 */
const { url, token, pid } = workerData as { readonly url: string; readonly token: string; readonly pid: number };
const PACE = 25;
const isSecure = url.startsWith('https:');
const kept = { keepAlive: true, maxSockets: 1 };
const agent = isSecure ? new TlsAgent({ ...kept, rejectUnauthorized: false }) : new Agent(kept);

for (;;) {
  const told = await ask();
  parentPort?.postMessage(told);
  await wait(Math.max(0, PACE - told.clock));
}

async function ask(): Promise<Wait> {
  const before = noiseNow();
  const at = performance.timeOrigin + performance.now();
  const status = await statusOf().catch(() => 0);
  const clock = performance.timeOrigin + performance.now() - at;
  const noise = noiseNow() - before;
  return { at, clock, judged: Math.max(0, clock - noise), status, memory: memoryOf(pid).now };
}

function noiseNow(): number {
  return waitedForProcessor(pid) + waitedForProcessor() + waitedForMachine();
}

function statusOf(): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = (isSecure ? httpsRequest : httpRequest)(url, { agent, headers: { 'X-ServiceToken': token } });
    request.on('error', reject).on('response', (response) => {
      response
        .resume()
        .on('end', () => resolve(response.statusCode ?? 0))
        .on('error', reject);
    });
    request.end();
  });
}
