import { readFile } from 'node:fs/promises';
import type { Totals } from './totalsReporter.ts';

/** The two files through which a suite answers. */
export interface SuiteFiles {
  /** Totals as JSON; there when the last test has run. */
  readonly totals: string;
  /** The report as text, for suites that have no standard output of their own. */
  readonly report: string;
}

export interface SuiteOutcome extends Totals {
  /** What was wrong beyond failed tests; counted as one failure. */
  readonly trouble: string | undefined;
}

/** Reads what a suite came to: one that crashed, or ran no test at all, has failed. */
export async function outcomeOf(files: SuiteFiles, trouble: string | undefined): Promise<SuiteOutcome> {
  const text = await readFile(files.totals, 'utf8').catch(() => undefined);
  const totals: Totals = text === undefined ? { passed: 0, failed: 0, skipped: 0, failures: [] } : JSON.parse(text);
  const ran = totals.passed + totals.failed > 0;
  const found = trouble ?? (text === undefined ? 'ended before its last test' : ran ? undefined : 'ran no test');
  return { ...totals, failed: totals.failed + (found === undefined ? 0 : 1), trouble: found };
}
