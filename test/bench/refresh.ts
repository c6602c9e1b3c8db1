import { join } from 'node:path';
import { temporaryFolder } from '../../scripts/vscode/temporaryFolder.ts';
import type { Cost } from './programs/refresh.ts';
import { atMost, type Bench, type Row } from './support/bench.ts';
import { longBacklog } from './support/longBacklog.ts';
import { answerOf, bundledProgram } from './support/program.ts';
import { startService } from './support/service.ts';
import { median } from './support/statistics.ts';
import { rounded } from './support/table.ts';

const STORIES = 10_000;
const ROUNDS = 20;

const CHANGES: Readonly<Record<string, string>> = {
  rename: 'one story renamed',
  move: 'one story moved',
  estimate: 'one story estimated anew',
  start: 'one story started',
  accept: 'one story accepted',
};

/** What the copy of a project costs to bring up to date, against reading it for the first time: bytes, and CPU of the worker. */
export const refresh: Bench = {
  name: 'refresh',
  async run() {
    const folder = temporaryFolder('bench-refresh');
    const { token, projectId, firstId } = await longBacklog(join(folder.path, 'data'), STORIES);
    const service = await startService(join(folder.path, 'data'));
    try {
      const program = await bundledProgram('refresh', folder.path);
      const file = join(folder.path, 'replica.sqlite');
      const args = [service.said.url, token, projectId, firstId, file, ROUNDS].map(String);
      return rowsOf(await answerOf<Readonly<Record<string, readonly Cost[]>>>(program, args));
    } finally {
      await service.stop();
      await folder.remove();
    }
  },
};

function rowsOf(costs: Readonly<Record<string, readonly Cost[]>>): readonly Row[] {
  const whole = of(costs.full ?? []);
  const changes = Object.entries(CHANGES).flatMap(([name, what]) => changeRows(what, costs[name] ?? [], whole));
  return [
    ...changes,
    nothingRow('', costs.nothing ?? []),
    nothingRow(', told by the list of projects', costs.listed ?? []),
  ];
}

function of(costs: readonly Cost[]) {
  return { bytes: median(costs.map(({ bytes }) => bytes)), cpu: median(costs.map(({ cpu }) => cpu)) };
}

function changeRows(what: string, costs: readonly Cost[], whole: { bytes: number; cpu: number }): readonly Row[] {
  const one = of(costs);
  const read = costs.filter(({ isRead }) => isRead).length;
  const times = `median of ${costs.length}, of which ${read} read the lists`;
  return [
    {
      what: `refresh after ${what} of ${STORIES}: bytes against a full load`,
      value: one.bytes / whole.bytes,
      unit: '×',
      goal: atMost(0.01),
      detail: `${rounded(one.bytes / 1024)} KiB; full ${rounded(whole.bytes / 1024)} KiB, uncompressed; ${times}`,
    },
    {
      what: `refresh after ${what} of ${STORIES}: CPU against a full load`,
      value: one.cpu / whole.cpu,
      unit: '×',
      goal: atMost(0.01),
      detail: `${rounded(one.cpu)} ms; full ${rounded(whole.cpu)} ms; all of the process, HTTP and SQLite included`,
    },
  ];
}

function nothingRow(how: string, costs: readonly Cost[]): Row {
  return {
    what: `refresh after nothing changed at ${STORIES}${how}: CPU`,
    value: of(costs).cpu,
    unit: 'ms',
    goal: atMost(1),
    detail: `${of(costs).bytes} bytes; all of the process, HTTP and SQLite included; median of ${costs.length}`,
  };
}
