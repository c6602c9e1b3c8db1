import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../scripts/vscode/temporaryFolder.ts';
import { atMost, type Bench, type Row } from './support/bench.ts';
import { answerInWindow } from './support/extensionHost.ts';
import { probeExtension } from './support/smallExtensions.ts';
import { median, quantile } from './support/statistics.ts';
import { rounded } from './support/table.ts';

/** What the probe inside VS Code is told, in the environment. */
export interface CompletionOrder {
  /** Where it writes `CompletionFigures`. */
  readonly file: string;
  readonly stories: number;
}

/** Milliseconds that a key took from the thread of the extension host, and by the clock. */
export interface KeyCost {
  readonly busy: number;
  readonly clock: number;
}

export interface CompletionFigures {
  readonly error?: string;
  /** Of code that was never run before. */
  readonly first: readonly KeyCost[];
  readonly keys: readonly KeyCost[];
}

/** Which stories fit what is typed in a commit message, inside VS Code's extension host. */
export const completion: Bench = {
  name: 'completion',
  async run() {
    const folder = temporaryFolder('bench-completion');
    try {
      const program = fileURLToPath(new URL('programs/completionProbe.ts', import.meta.url));
      const extensions = [await probeExtension(folder.path, program)];
      const rows: Row[] = [];
      for (const stories of [10_000, 50_000]) {
        const figures = await answerInWindow<CompletionFigures>(join(folder.path, 'profile'), extensions, { stories });
        if (figures.error !== undefined) throw new Error(figures.error);
        rows.push(...rowsOf(stories, figures));
      }
      return rows;
    } finally {
      await folder.remove();
    }
  },
};

function rowsOf(stories: number, { first, keys }: CompletionFigures): readonly Row[] {
  const busy = keys.map((key) => key.busy);
  const clock = keys.map((key) => key.clock);
  const detail = `median ${rounded(median(busy))} ms, longest ${rounded(Math.max(...busy))}; by the clock median ${rounded(median(clock))}, longest ${rounded(Math.max(...clock))} ms; the very first key ${rounded(first[0]?.busy ?? Number.NaN)} ms; ${keys.length} keys`;
  return [
    {
      what: `complete a story among ${stories} in a commit message: time of the extension host a key, 95 of 100 keys`,
      value: quantile(busy, 0.95),
      unit: 'ms',
      ...(stories === 10_000 && { goal: atMost(16) }),
      detail,
    },
  ];
}
