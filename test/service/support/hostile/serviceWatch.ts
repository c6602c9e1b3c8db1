import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** One request of someone else than the attacker. Durations are in milliseconds. */
export interface Wait {
  /** Since the epoch. */
  readonly at: number;
  readonly clock: number;
  /** Without what the kernel says that the service's thread and ours waited for a processor that others had, also on other machines. */
  readonly judged: number;
  readonly status: number;
  /** Bytes that the service had in memory then. */
  readonly memory: number;
}

/** Milliseconds that someone else's request may take while the service is attacked. */
export const LONGEST_WAIT = 250;

/** Whether the kernel tells what is watched here. */
export const canWatch = existsSync('/proc/thread-self/schedstat');

/** Milliseconds for which the first thread of a process, or this thread, could have run and did not. */
export function waitedForProcessor(pid?: number): number {
  const file = pid === undefined ? '/proc/thread-self/schedstat' : `/proc/${pid}/task/${pid}/schedstat`;
  try {
    return Number(readFileSync(file, 'latin1').split(' ')[1]) / 1e6;
  } catch {
    return 0; // It has ended, which is told otherwise.
  }
}

/** Milliseconds in one hundredth of a second, in which the kernel counts what it was kept from. */
const TICK = 10;

/** Milliseconds for which this machine, where it is one of several on the same processors, could have run and did not. */
export function waitedForMachine(): number {
  const counts = /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'latin1'))?.[1]?.split(' ');
  return Number(counts?.[7] ?? 0) * TICK;
}

/** Bytes of memory of a process: now, and at most since that was last forgotten. */
export function memoryOf(pid: number): { readonly now: number; readonly most: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);
    return { now: kilobytes('VmRSS') * 1024, most: kilobytes('VmHWM') * 1024 };
  } catch {
    return { now: 0, most: 0 };
  }
}

/** From now on the most memory is counted anew. */
export function forgetMostMemory(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** Milliseconds without a word after which the request under way counts as one that has waited so long. */
const SILENCE = 500;

export class ServiceWatch {
  readonly waits: Wait[] = [];
  private readonly worker: Worker;

  constructor(url: string, token: string, pid: number) {
    this.worker = new Worker(new URL('watchThread.ts', import.meta.url), { workerData: { url, token, pid } });
    this.worker.on('message', (wait: Wait) => this.waits.push(wait));
  }

  /** Those that were under way at some time between two moments, in milliseconds since the epoch; the one that is still is one of them. */
  between(from: number, to: number): readonly Wait[] {
    const done = this.waits.filter(({ at, clock }) => at + clock >= from && at <= to);
    const last = this.waits.at(-1);
    const silence = last === undefined ? 0 : to - last.at - last.clock;
    if (last === undefined || silence < SILENCE) return done;
    return [...done, { ...last, at: to - silence, clock: silence, judged: silence }];
  }

  async stop(): Promise<void> {
    await this.worker.terminate();
  }
}
