import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Milliseconds in one of the units in which Linux tells it. */
const TICK = 10;

/** Milliseconds for which a process has had a processor; not a number where the system does not tell. */
export function processorTime({ pid }: Pick<ChildProcess, 'pid'>): number {
  if (process.platform !== 'linux' || pid === undefined) return Number.NaN;
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const fields = rest.split(' ');
  return TICK * (Number(fields[11]) + Number(fields[12]));
}
