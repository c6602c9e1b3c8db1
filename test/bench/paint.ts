import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../scripts/vscode/temporaryFolder.ts';
import { atMost, type Bench, type Row } from './support/bench.ts';
import { answerInWindow } from './support/extensionHost.ts';
import { firstBytes } from './support/firstBytes.ts';
import type { Holds } from './support/hostHolds.ts';
import { longBacklog } from './support/longBacklog.ts';
import { root, startService } from './support/service.ts';
import { probeExtension } from './support/smallExtensions.ts';
import { median } from './support/statistics.ts';
import { rounded } from './support/table.ts';

/** What the probe inside VS Code is told, in the environment. */
export interface PaintOrder {
  /** Where it writes `PaintFigures`. */
  readonly file: string;
  readonly worker: string;
  readonly folder: string;
  readonly url: string;
  readonly token: string;
  readonly projectId: number;
  readonly rounds: number;
}

/** Moments in milliseconds since the epoch, and the longest holds of the extension host meanwhile in milliseconds. */
export interface PaintTimes {
  readonly asked: number;
  /** Rows of stories were there. */
  readonly first: number;
  readonly firstRows: number;
  /** All of the backlog was there, and what of it is open was handed to VS Code. */
  readonly painted: number;
  readonly hold: number;
  readonly busy: number;
  readonly stories: number;
}

export interface PaintFigures {
  readonly error?: string;
  /** The longest hold of the host while nothing was asked of it. */
  readonly idle: Holds;
  /** The project was never read before. */
  readonly fresh: readonly PaintTimes[];
  /** The project is in the local copy. */
  readonly known: readonly PaintTimes[];
  /** What the host had more of afterwards, in MB; the worker thread counts in what is resident. */
  readonly memory: readonly { readonly heap: number; readonly resident: number }[];
}

const ROUNDS = 5;

/** From the answer of our service, or from the local copy, to the rows of the story tree, inside VS Code's extension host. */
export const paint: Bench = {
  name: 'paint',
  async run() {
    return [...(await rowsAt(10_000)), ...(await rowsAt(50_000))];
  },
};

async function rowsAt(stories: number): Promise<readonly Row[]> {
  const folder = temporaryFolder('bench-paint');
  const data = join(folder.path, 'data');
  const { token, projectId } = await longBacklog(data, stories);
  const service = await startService(data);
  const passed = await firstBytes(service.said.url, '/current_backlog');
  try {
    const replicas = join(folder.path, 'replicas');
    await mkdir(replicas);
    const program = fileURLToPath(new URL('programs/paintProbe.ts', import.meta.url));
    const order: Omit<PaintOrder, 'file'> = {
      ...{ worker: `${root}dist/worker.js`, folder: replicas, url: passed.url, token, projectId, rounds: ROUNDS },
    };
    const extensions = [await probeExtension(folder.path, program)];
    const figures = await answerInWindow<PaintFigures>(join(folder.path, 'profile'), extensions, order);
    if (figures.error !== undefined) throw new Error(figures.error);
    return rowsOf(stories, figures, passed.times, passed.bytes());
  } finally {
    passed.stop();
    await service.stop();
    await folder.remove();
  }
}

function rowsOf(
  stories: number,
  { idle, fresh, known, memory }: PaintFigures,
  answered: readonly number[],
  bytes: number,
): readonly Row[] {
  const since = (moment: 'first' | 'painted') =>
    fresh.map((times, round) => times[moment] - (answered[round] ?? Number.NaN));
  const fromCopy = (moment: 'first' | 'painted') => known.map((times) => times[moment] - times.asked);
  const all = [...fresh, ...known];
  const heap = memory.map((one) => one.heap);
  const megabytes = bytes / 1e6;
  const isGoal = stories === 10_000;
  return [
    {
      ...row(`paint ${stories} stories: first byte of the answer → first rows`, since('first')),
      ...(isGoal && { goal: atMost(50) }),
    },
    row(`paint ${stories} stories: first byte of the answer → all of them`, since('painted')),
    row(`paint ${stories} stories from the local copy: asked for → first rows`, fromCopy('first')),
    row(`paint ${stories} stories from the local copy: asked for → all of them`, fromCopy('painted')),
    {
      ...row(
        `paint ${stories} stories: longest hold of the extension host, by the processor`,
        all.map(({ busy }) => busy),
      ),
      goal: atMost(8),
      detail: `${spread(all.map(({ busy }) => busy))}; by the clock ${spread(all.map(({ hold }) => hold))}; idle ${rounded(idle.busy)}, by the clock ${rounded(idle.hold)} ms`,
    },
    {
      what: `hold ${stories} stories in the extension host: heap against the bytes of the answer`,
      value: median(heap) / megabytes,
      unit: '×',
      detail: `heap ${rounded(median(heap))} MB, resident with the worker ${rounded(median(memory.map((one) => one.resident)))} MB; answer ${rounded(megabytes)} MB`,
    },
  ];
}

function row(what: string, samples: readonly number[]): Row {
  return { what, value: median(samples), unit: 'ms', detail: spread(samples) };
}

function spread(samples: readonly number[]): string {
  return `median of ${samples.length}, ${rounded(Math.min(...samples))} to ${rounded(Math.max(...samples))} ms`;
}
