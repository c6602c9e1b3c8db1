import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../scripts/vscode/temporaryFolder.ts';
import { atMost, type Bench, type Row } from './support/bench.ts';
import { answerInWindow } from './support/extensionHost.ts';
import { root } from './support/service.ts';
import { EMPTY_ID, emptyExtension, probeExtension, sleepingCopy } from './support/smallExtensions.ts';
import { median, medianRatio } from './support/statistics.ts';
import { rounded } from './support/table.ts';

/** What the probe inside VS Code is told, in the environment. */
export interface ProbeOrder {
  /** Where it writes `ProbeFigures`. */
  readonly file: string;
  /** Ids, in the order in which they are to be activated. */
  readonly extensions: readonly string[];
}

/** Milliseconds from asking for an extension's activation until it is active, by id. */
export type ProbeFigures = Readonly<Record<string, number>>;

const OUR_ID = 'story-tracker.story-tracker';
const WINDOWS = 7;

/** Activation in the extension host of a real VS Code: ours and an empty extension in the same host, each first every other time. */
export const activation: Bench = {
  name: 'activation',
  async run() {
    const folder = temporaryFolder('bench-activation');
    try {
      const probe = fileURLToPath(new URL('programs/probe.ts', import.meta.url));
      const extensions = [
        await sleepingCopy(root, folder.path),
        await emptyExtension(folder.path),
        await probeExtension(folder.path, probe),
      ];
      const ours: number[] = [];
      const empty: number[] = [];
      // The first window is not counted: VS Code makes its caches.
      for (let window = -1; window < WINDOWS; window += 1) {
        const order = window % 2 === 0 ? [OUR_ID, EMPTY_ID] : [EMPTY_ID, OUR_ID];
        const profile = join(folder.path, 'profile');
        const figures = await answerInWindow<ProbeFigures>(profile, extensions, { extensions: order });
        if (window < 0) continue;
        ours.push(figures[OUR_ID] ?? Number.NaN);
        empty.push(figures[EMPTY_ID] ?? Number.NaN);
      }
      return rowsOf(ours, empty);
    } finally {
      await folder.remove();
    }
  },
};

function rowsOf(ours: readonly number[], empty: readonly number[]): readonly Row[] {
  const detail = `${rounded(median(ours))} ms, ${rounded(Math.min(...ours))} to ${rounded(Math.max(...ours))}; empty ${rounded(median(empty))} ms; ${ours.length} windows`;
  return [
    { what: 'activation in VS Code', value: median(ours), unit: 'ms', goal: atMost(10), detail },
    {
      what: 'activation in VS Code against an empty bundled extension',
      value: medianRatio(ours, empty),
      unit: '×',
      goal: atMost(3),
      detail,
    },
  ];
}
