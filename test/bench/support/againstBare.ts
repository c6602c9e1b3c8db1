import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { atLeast, type Row } from './bench.ts';
import { answerOf, bundledProgram, startProgram } from './program.ts';
import { rounds } from './rounds.ts';
import type { Listening } from './service.ts';
import { median, medianRatio } from './statistics.ts';
import { rounded } from './table.ts';

const ROUNDS = 7;

/** A running service and a folder for what the comparison needs. */
export interface Compared {
  readonly folder: string;
  readonly service: Listening;
}

/** How many answers to one read the service gives a second, against a bare `node:http` server that sends the same bytes. */
export async function againstBare(name: string, path: string, { folder, service }: Compared): Promise<Row> {
  const address = `${service.url}/services/v3${path}`;
  const answer = await fetch(address, { headers: { 'X-ServiceToken': service.token } });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const body = join(folder, 'body.xml');
  await writeFile(body, bytes);
  const bare = await startProgram<string>(await bundledProgram('bareServer', folder), [body]);
  try {
    const load = await bundledProgram('load', folder);
    const { ours, theirs } = await rounds(ROUNDS, {
      ours: () => answerOf<number>(load, [address, service.token]),
      theirs: () => answerOf<number>(load, [bare.said, service.token]),
    });
    return {
      what: `read ${name}: rate against bare node:http`,
      value: medianRatio(ours, theirs),
      unit: '×',
      goal: atLeast(0.85),
      detail: `${rounded(median(ours))}/s; bare ${rounded(median(theirs))}/s; ${bytes.length} bytes, 8 connections`,
    };
  } finally {
    await bare.stop();
  }
}
