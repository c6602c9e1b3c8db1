import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../scripts/vscode/temporaryFolder.ts';
import { atMost, type Bench, type Row } from './support/bench.ts';
import { answerInWindow } from './support/extensionHost.ts';
import { root } from './support/service.ts';
import { EMPTY_ID, emptyExtension, probeExtension } from './support/smallExtensions.ts';
import { median } from './support/statistics.ts';
import { rounded } from './support/table.ts';

/** What the probe inside VS Code is told, in the environment. */
export interface QuietOrder {
  /** Where it writes `QuietFigures`. */
  readonly file: string;
  /** Whose activation is looked for. */
  readonly extension: string;
  /** After so long, counted from the beginning of the extension host, it measures. */
  readonly milliseconds: number;
}

export interface QuietFigures {
  /** Milliseconds for which the extension host has had a processor, with the threads of extensions. */
  readonly processor: number;
  readonly isActive: boolean;
}

const OUR_ID = 'story-tracker.story-tracker';
const WINDOWS = 7;
const MILLISECONDS = 10_000;

/** What a window costs whose views stay closed, with nobody signed in and with someone, against one with an empty extension. */
export const quiet: Bench = {
  name: 'quiet',
  async run() {
    const folder = temporaryFolder('bench-quiet');
    try {
      const probe = await probeExtension(
        folder.path,
        fileURLToPath(new URL('programs/quietProbe.ts', import.meta.url)),
      );
      const empty = await emptyExtension(folder.path, ['onStartupFinished']);
      const signedIn = {
        'storyTracker.builtIn.signIn': 'automatic',
        'storyTracker.builtIn.dataFolder': join(folder.path, 'data'),
      };
      const cases = [
        { name: 'empty', extension: empty, id: EMPTY_ID, settings: {} },
        { name: 'nobody', extension: root, id: OUR_ID, settings: {} },
        { name: 'someone', extension: root, id: OUR_ID, settings: signedIn },
      ];
      const figures = new Map<string, number[]>(cases.map(({ name }) => [name, []]));
      // The first of each is not counted: VS Code makes its caches.
      for (let window = -1; window < WINDOWS; window += 1) {
        for (const { name, extension, id, settings } of window % 2 === 0 ? cases : cases.toReversed()) {
          const order = { extension: id, milliseconds: MILLISECONDS };
          const profile = join(folder.path, `profile-${name}`);
          const measured = await answerInWindow<QuietFigures>(profile, [extension, probe], order, settings);
          if (!measured.isActive) throw new Error(`${id} did not start with the window.`);
          if (window >= 0) figures.get(name)?.push(measured.processor);
        }
      }
      return ['nobody', 'someone'].map((name) => rowOf(name, figures.get(name) ?? [], figures.get('empty') ?? []));
    } finally {
      await folder.remove();
    }
  },
};

/** The median of what each window took more than the one with the empty extension of the same round. */
function rowOf(name: string, ours: readonly number[], empty: readonly number[]): Row {
  const more = ours.map((milliseconds, round) => milliseconds - (empty[round] ?? Number.NaN));
  const detail = `processor time ${rounded(median(ours))} ms, empty ${rounded(median(empty))} ms, differences ${rounded(Math.min(...more))} to ${rounded(Math.max(...more))} ms; ${ours.length} windows`;
  return {
    what: `the first ${MILLISECONDS / 1000} s of a window whose views stay closed, ${name} signed in, over an empty extension`,
    value: median(more),
    unit: 'ms',
    ...(name === 'nobody' && { goal: atMost(20) }),
    detail,
  };
}
