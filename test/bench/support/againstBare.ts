import type { ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { atLeast, type Row } from './bench.ts';
import { processorTime } from './processorTime.ts';
import { answerOf, bundledProgram, type RunningProgram, startProgram } from './program.ts';
import { rounds } from './rounds.ts';
import type { Listening } from './service.ts';
import { median, medianRatio } from './statistics.ts';
import { rounded } from './table.ts';

const ROUNDS = 7;

/** A running service and a folder for what the comparison needs. */
export interface Compared {
  readonly folder: string;
  readonly service: RunningProgram<Listening>;
  readonly token: string;
}

/** What the load program says. */
interface Load {
  readonly rate: number;
  readonly answers: number;
}

interface Contestant {
  readonly address: string;
  readonly process: ChildProcess;
  /** Milliseconds for which it had a processor, for each answer of a round. */
  readonly cost: number[];
}

/**
 * How many answers to one read the service gives a second, against a bare `node:http` server that sends the same bytes; and how much
 * of the processor's time an answer takes, which says more on a machine that does other things as well.
 */
export async function againstBare(name: string, path: string, compared: Compared): Promise<readonly Row[]> {
  const { folder, service, token } = compared;
  const address = `${service.said.url}/services/v3${path}`;
  const answer = await fetch(address, { headers: { 'X-ServiceToken': token } });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const body = join(folder, 'body.xml');
  await writeFile(body, bytes);
  const bare = await startProgram<string>(await bundledProgram('bareServer', folder), [body]);
  try {
    const load = await bundledProgram('load', folder);
    const ours = { address, process: service.process, cost: [] };
    const theirs = { address: bare.said, process: bare.process, cost: [] };
    const rates = await rounds(ROUNDS, {
      ours: () => loaded(load, ours, token),
      theirs: () => loaded(load, theirs, token),
    });
    return rowsOf(`read ${name}`, bytes.length, rates, { ours: ours.cost, theirs: theirs.cost });
  } finally {
    await bare.stop();
  }
}

async function loaded(program: string, { address, process, cost }: Contestant, token: string): Promise<number> {
  const before = processorTime(process);
  const { rate, answers } = await answerOf<Load>(program, [address, token]);
  cost.push((processorTime(process) - before) / answers);
  return rate;
}

interface Sides {
  readonly ours: readonly number[];
  readonly theirs: readonly number[];
}

function rowsOf(what: string, length: number, rates: Sides, costs: Sides): readonly Row[] {
  const microseconds = (cost: readonly number[]) => `${rounded(1_000 * median(cost))} µs`;
  return [
    {
      what: `${what}: rate against bare node:http`,
      value: medianRatio(rates.ours, rates.theirs),
      unit: '×',
      goal: atLeast(0.85),
      detail: `${rounded(median(rates.ours))}/s; bare ${rounded(median(rates.theirs))}/s; ${length} bytes, 8 connections`,
    },
    {
      what: `${what}: the same by the processor’s time`,
      value: medianRatio(costs.theirs, costs.ours),
      unit: '×',
      goal: atLeast(0.85),
      detail: `${microseconds(costs.ours)} an answer; bare ${microseconds(costs.theirs)}`,
    },
  ];
}
