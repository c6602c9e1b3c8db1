import { fdatasyncSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../scripts/vscode/temporaryFolder.ts';
import { openStore } from '../../src/service/store/openStore.ts';
import { asker } from './support/asker.ts';
import { atLeast, atMost, type Bench, type Row } from './support/bench.ts';
import { type LongBacklog, longBacklog } from './support/longBacklog.ts';
import { rounds } from './support/rounds.ts';
import { startService } from './support/service.ts';
import { median, medianRatio, quantile } from './support/statistics.ts';
import { rounded } from './support/table.ts';

const FEW = 1_000;
const MANY = 100_000;
const MOVES = 1_500;
const COMMITS = 400;
/** What SQLite appends to its log for one changed page. */
const FRAME = 4096 + 24;

/** Moving stories in short and in very long backlogs, over HTTP, each acknowledged only when it is on disk. */
export const moves: Bench = {
  name: 'moves',
  async run() {
    const folder = temporaryFolder('bench-moves');
    try {
      return [...(await moveRows(folder.path)), await commitRow(folder.path)];
    } finally {
      await folder.remove();
    }
  },
};

async function moveRows(folder: string): Promise<readonly Row[]> {
  const short = await mover(join(folder, 'few'), FEW);
  const long = await mover(join(folder, 'many'), MANY);
  try {
    const { few, many } = await rounds(MOVES, { few: short.move, many: long.move });
    const row = (name: string, part: number): Row => ({
      what: `move at ${MANY} stories: cost (${name}) against ${FEW}`,
      value: quantile(many, part) / quantile(few, part),
      unit: '×',
      goal: atMost(1.5),
      detail: `${rounded(quantile(many, part))} ms; at ${FEW} ${rounded(quantile(few, part))} ms; ${MOVES} moves each, in turns`,
    });
    return [row('p50', 0.5), row('p99', 0.99)];
  } finally {
    await short.stop();
    await long.stop();
  }
}

/** Moves any story next to any other; gives the milliseconds until the answer is there. */
async function mover(folder: string, stories: number) {
  const backlog = await longBacklog(folder, stories);
  const service = await startService(folder);
  const client = asker(service.said.url, backlog.token);
  return {
    move: () => client.time('POST', anyMove(backlog)),
    stop: async () => {
      client.end();
      await service.stop();
    },
  };
}

function anyMove({ projectId, firstId, stories }: LongBacklog): string {
  const moved = Math.floor(Math.random() * stories);
  const target = (moved + 1 + Math.floor(Math.random() * (stories - 1))) % stories;
  const place = Math.random() < 0.5 ? 'before' : 'after';
  return `/projects/${projectId}/stories/${firstId + moved}/moves?move[move]=${place}&move[target]=${firstId + target}`;
}

/** One changed row, committed by the store as the service commits, against as many bytes appended to a file and synced. */
async function commitRow(folder: string): Promise<Row> {
  const { database } = await openStore(join(folder, 'commits'));
  const file = openSync(join(folder, 'appended'), 'a');
  const frame = Buffer.alloc(FRAME);
  await database.write((tx) => tx.insertInto('counters').values({ name: 'bench', value: 0 }).execute());
  let value = 0;
  const timed = async (work: () => unknown) => {
    const begun = performance.now();
    await work();
    return performance.now() - begun;
  };
  const { commit, append, fsync } = await rounds(COMMITS, {
    commit: () =>
      timed(() => {
        value += 1;
        return database.write((tx) => tx.updateTable('counters').set({ value }).where('name', '=', 'bench').execute());
      }),
    append: () =>
      timed(() => {
        writeSync(file, frame);
        fdatasyncSync(file);
      }),
    fsync: () =>
      timed(() => {
        writeSync(file, frame);
        fsyncSync(file);
      }),
  });
  await database.close();
  return {
    what: 'durable commit: rate against append + fdatasync',
    value: medianRatio(append, commit),
    unit: '×',
    goal: atLeast(0.8),
    detail: `${rounded(median(commit))} ms; append + fdatasync ${rounded(median(append))} ms, + fsync ${rounded(median(fsync))} ms; ${COMMITS} each, in turns`,
  };
}
