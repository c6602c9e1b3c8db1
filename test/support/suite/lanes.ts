import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Suite } from './suite.ts';
import type { SuiteOutcome } from './suiteOutcome.ts';
import { HeldOutput, liveOutput, type SuiteOutput } from './suiteOutput.ts';

/** So many files with windows are run by one process, so that both lanes end at about the same time. */
const FILES_A_PART = 3;

/** Runs a suite, or a part of one, and tells what came of it. */
export type Run = (suite: Suite, output: SuiteOutput) => Promise<SuiteOutcome>;

export interface LanesOutcome {
  readonly outcomes: readonly SuiteOutcome[];
  /** Parts that were not begun. */
  readonly leftOut: readonly Suite[];
}

/**
 * The parts of suites in the order in which two lanes take them from both ends: each begins with long ones, and what can be cut into small
 * parts is in the middle, so that neither lane has a long one to itself in the end.
 */
export function partsOf(suites: readonly Suite[]): readonly Suite[] {
  const long = suites.filter(({ jobs }) => jobs === undefined);
  const small = suites.filter(({ jobs }) => jobs !== undefined).flatMap(filesOf);
  return [...long.slice(0, -1), ...small, ...long.slice(-1)];
}

function filesOf(suite: Suite): readonly Suite[] {
  const folder = join('test', suite.folder);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .sort()
    .map((file) => join(folder, file));
  return Array.from({ length: Math.ceil(files.length / FILES_A_PART) }, (_, index) => {
    const some = files.slice(index * FILES_A_PART, (index + 1) * FILES_A_PART);
    return { ...suite, files: some, jobs: 1 };
  });
}

/**
 * Runs all parts, two at a time, since each keeps a processor busy and tests of windows wait in vain where more compete. One lane takes
 * the first that is left and prints as it goes; the other takes the last, and what it printed follows at the end. `folder` is for that.
 * Once none of the small parts `mayBegin` any more, those that are left are left out; long ones always run.
 */
export async function runInLanes(
  parts: readonly Suite[],
  folder: string,
  run: Run,
  mayBegin = () => true,
): Promise<LanesOutcome> {
  const left = [...parts];
  const outcomes: SuiteOutcome[] = [];
  const held: { readonly output: HeldOutput; readonly outcome: Promise<SuiteOutcome> }[] = [];
  const next = (from: 'shift' | 'pop') => {
    const isSmall = left.at(from === 'shift' ? 0 : -1)?.jobs !== undefined;
    return isSmall && !mayBegin() ? undefined : left[from]();
  };
  const first = async () => {
    for (let part = next('shift'); part; part = next('shift')) outcomes.push(await run(part, liveOutput));
    for (const { output, outcome } of held) await output.printUntil(outcome);
  };
  const last = async () => {
    for (let part = next('pop'); part; part = next('pop')) {
      const output = new HeldOutput(join(folder, `${held.length}.txt`));
      const outcome = run(part, output);
      held.push({ output, outcome });
      outcomes.push(await outcome);
    }
  };
  await Promise.all([first(), last()]);
  return { outcomes, leftOut: left };
}
