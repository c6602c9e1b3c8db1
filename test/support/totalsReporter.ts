import { renameSync, writeFileSync } from 'node:fs';
import Mocha from 'mocha';

/** What a suite came to; a hook that failed counts as a failure. */
export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The spec report, with the totals left as JSON in the file that `STORY_TRACKER_TOTALS` names. */
export default class TotalsReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    runner.once('end', () => this.leaveTotals());
  }

  /** Renamed into place, so that whoever waits for the file finds it whole. */
  private leaveTotals(): void {
    const file = process.env.STORY_TRACKER_TOTALS;
    if (file === undefined) return;
    const totals: Totals = { passed: this.stats.passes, failed: this.stats.failures, skipped: this.stats.pending };
    writeFileSync(`${file}.part`, JSON.stringify(totals));
    renameSync(`${file}.part`, file);
  }
}
