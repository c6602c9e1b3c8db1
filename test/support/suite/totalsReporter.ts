import { renameSync, writeFileSync } from 'node:fs';
import Mocha from 'mocha';

/** What a suite came to; a hook that failed counts as a failure. */
export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The whole title and the error of each that failed. */
  readonly failures: readonly string[];
}

/** Characters of an error that its line among the failures holds. */
const LONGEST_ERROR = 8000;

/** The spec report, with the totals left as JSON in the file that `STORY_TRACKER_TOTALS` names. */
export default class TotalsReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const failed: { readonly title: string; readonly error: unknown }[] = [];
    runner.on('fail', (test, error) => {
      failed.push({ title: test.fullTitle(), error });
      // At once: a suite that is ended because it takes too long tells nothing at its end.
      process.stdout.write(`${reasonOf(error).replace(/^/gm, '      ')}\n`);
    });
    // What a hook after the test has added to its error is there only by then.
    runner.once('end', () => this.leaveTotals(failed.map(({ title, error }) => `${title}\n${reasonOf(error)}`)));
  }

  /** Renamed into place, so that whoever waits for the file finds it whole. */
  private leaveTotals(failures: readonly string[]): void {
    const file = process.env.STORY_TRACKER_TOTALS;
    if (file === undefined) return;
    const { passes, failures: failed, pending } = this.stats;
    const totals: Totals = { passed: passes, failed, skipped: pending, failures };
    writeFileSync(`${file}.part`, JSON.stringify(totals));
    renameSync(`${file}.part`, file);
  }
}

function reasonOf(error: unknown): string {
  return String((error instanceof Error && error.stack) || error).slice(0, LONGEST_ERROR);
}
