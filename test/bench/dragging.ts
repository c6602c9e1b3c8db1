import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../scripts/vscode/temporaryFolder.ts';
import { atMost, type Bench, type Row } from './support/bench.ts';
import { answerInWindow } from './support/extensionHost.ts';
import type { Holds } from './support/hostHolds.ts';
import { longBacklog } from './support/longBacklog.ts';
import { root, startService } from './support/service.ts';
import { probeExtension } from './support/smallExtensions.ts';
import { median } from './support/statistics.ts';
import { rounded } from './support/table.ts';

/** What the probe inside VS Code is told, in the environment. */
export interface DraggingOrder {
  /** Where it writes `DraggingFigures`. */
  readonly file: string;
  readonly worker: string;
  readonly replica: string;
  readonly url: string;
  readonly token: string;
  readonly projectId: number;
  readonly rounds: number;
}

export interface DraggingFigures {
  readonly error?: string;
  /** The longest hold of the host while nothing was asked of it. */
  readonly idle: Holds;
  /** One story dropped far away, and three. */
  readonly one: readonly Holds[];
  readonly three: readonly Holds[];
  readonly undone: readonly Holds[];
}

const STORIES = 5_000;
const ROUNDS = 12;

/** Stories dropped on another in a tree of which every row is shown, inside VS Code's extension host. */
export const dragging: Bench = {
  name: 'dragging',
  async run() {
    const folder = temporaryFolder('bench-dragging');
    const data = join(folder.path, 'data');
    const { token, projectId } = await longBacklog(data, STORIES);
    const service = await startService(data);
    try {
      await mkdir(join(folder.path, 'profile'), { recursive: true });
      const program = fileURLToPath(new URL('programs/draggingProbe.ts', import.meta.url));
      const order: Omit<DraggingOrder, 'file'> = {
        ...{ worker: `${root}dist/worker.js`, replica: join(folder.path, 'replica.sqlite') },
        ...{ url: service.said.url, token, projectId, rounds: ROUNDS },
      };
      const extensions = [await probeExtension(folder.path, program)];
      const figures = await answerInWindow<DraggingFigures>(join(folder.path, 'profile'), extensions, order);
      if (figures.error !== undefined) throw new Error(figures.error);
      return rowsOf(figures);
    } finally {
      await service.stop();
      await folder.remove();
    }
  },
};

function rowsOf({ idle, one, three, undone }: DraggingFigures): readonly Row[] {
  const row = (what: string, holds: readonly Holds[]): Row => {
    const busy = holds.map((each) => each.busy);
    const clock = holds.map(({ hold }) => hold);
    return {
      what: `${what} among ${STORIES} that are shown: longest hold of the extension host, by the processor`,
      value: median(busy),
      unit: 'ms',
      goal: atMost(8),
      detail: `${spread(busy)}; by the clock ${spread(clock)}; idle ${rounded(idle.busy)}, by the clock ${rounded(idle.hold)} ms`,
    };
  };
  return [row('drop a story', one), row('drop three stories', three), row('undo a move', undone)];
}

function spread(samples: readonly number[]): string {
  return `median of ${samples.length} ${rounded(median(samples))}, ${rounded(Math.min(...samples))} to ${rounded(Math.max(...samples))} ms`;
}
