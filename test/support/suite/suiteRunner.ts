import { join } from 'node:path';
import { temporaryFolder } from '../../../scripts/vscode/temporaryFolder.ts';
import { messageOf } from '../../../src/core/errors.ts';
import { runInVsCode } from '../windows/runInVsCode.ts';
import { runMocha } from './runMocha.ts';
import type { Suite } from './suite.ts';
import type { SuiteOutcome } from './suiteOutcome.ts';
import { liveOutput, type SuiteOutput } from './suiteOutput.ts';

/** Runs one suite and prints its totals; never throws, since a suite that cannot start has failed. */
export async function runSuite(
  suite: Suite,
  grep: string | undefined,
  output: SuiteOutput = liveOutput,
): Promise<SuiteOutcome> {
  const folder = temporaryFolder(suite.name);
  const files = { totals: join(folder.path, 'totals.json'), report: join(folder.path, 'report.txt') };
  const run = { ...suite, grep };
  const print = (text: string) => output.print(text);
  print(`\n— ${suite.name} —\n`);
  try {
    const outcome = await (suite.name === 'vscode' ? runInVsCode(run, files, print) : runMocha(run, files, output));
    print(outcome.trouble === undefined ? '' : `The ${suite.name} suite ${outcome.trouble}.\n`);
    print(`${suite.name}: ${totalsLine([outcome])}\n`);
    const trouble = outcome.trouble === undefined ? [] : [outcome.trouble];
    return { ...outcome, failures: [...outcome.failures, ...trouble].map((failure) => `${suite.name}: ${failure}`) };
  } catch (error) {
    const trouble = `could not run: ${messageOf(error)}`;
    print(`The ${suite.name} suite ${trouble}\n${suite.name}: 0 passed, 1 failed\n`);
    return { passed: 0, failed: 1, skipped: 0, failures: [`${suite.name}: ${trouble}`], trouble };
  } finally {
    await folder.remove();
  }
}

/** `N passed, N failed`, and the skipped when there are any. */
export function totalsLine(outcomes: readonly SuiteOutcome[]): string {
  const sum = (key: 'passed' | 'failed' | 'skipped') => outcomes.reduce((total, outcome) => total + outcome[key], 0);
  const skipped = sum('skipped');
  return `${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** What failed in all suites, so that it is found at the end of a long report too; empty when nothing did. */
export function failuresText(outcomes: readonly SuiteOutcome[]): string {
  const failures = outcomes.flatMap((outcome) => outcome.failures);
  return failures.length === 0 ? '' : `\nFailed:\n\n${failures.join('\n\n')}\n`;
}
