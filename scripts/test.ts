/**
 * `npm test [unit|service|postgres|vscode|ui …] [--grep PATTERN] [--installed] [--minutes N]`: all suites, or those named, then one line
 * of totals. `service` runs on both databases; with `--installed` windows have the `.vsix` in place of the folder. After so many minutes
 * no more files with windows are begun: those left out are told, and each counts as skipped.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { partsOf, type Run, runInLanes } from '../test/support/suite/lanes.ts';
import { suites } from '../test/support/suite/suite.ts';
import type { SuiteOutcome } from '../test/support/suite/suiteOutcome.ts';
import { failuresText, runSuite, totalsLine } from '../test/support/suite/suiteRunner.ts';
import { ALL_FROM_PACKAGE } from '../test/support/windows/vscodeHost.ts';
import { exitOnSignals } from './vscode/endProcess.ts';
import { temporaryFolder } from './vscode/temporaryFolder.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    grep: { type: 'string', short: 'g' },
    installed: { type: 'boolean', default: false },
    minutes: { type: 'string' },
  },
});
if (values.installed) process.env[ALL_FROM_PACKAGE] = 'yes';
const unknown = positionals.filter((name) => !suites.some((suite) => suite.name === name));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no suite ${unknown.join(', ')}; there are ${suites.map(({ name }) => name).join(', ')}.\n`,
  );
  process.exit(2);
}

const minutes = values.minutes === undefined ? Number.POSITIVE_INFINITY : Number(values.minutes);
if (!(minutes > 0)) {
  process.stderr.write(`"${values.minutes}" is no number of minutes; pass one above 0, such as --minutes 75.\n`);
  process.exit(2);
}

exitOnSignals();

const chosen = suites.filter(
  ({ name, folder }) => positionals.length === 0 || [name, folder].some((each) => positionals.includes(each)),
);
const outcomes: SuiteOutcome[] = [];
if (spawnSync(process.execPath, ['esbuild.js', '--production'], { stdio: 'inherit' }).status !== 0) {
  process.stdout.write('The build failed, which counts as one failure.\n');
  outcomes.push({ passed: 0, failed: 1, skipped: 0, failures: ['the build'], trouble: 'the build failed' });
}
const folder = temporaryFolder('output');
const run: Run = (suite, output) => runSuite(suite, values.grep, output);
const parts = chosen.length > 1 && values.grep === undefined ? partsOf(chosen) : chosen;
const until = Date.now() + minutes * 60_000;
const lanes = await runInLanes(parts, folder.path, run, () => Date.now() < until);
outcomes.push(...lanes.outcomes);
await folder.remove();
const leftOut = lanes.leftOut.flatMap(({ files = [] }) => files);
if (leftOut.length > 0) {
  process.stdout.write(`\nLeft out, since ${minutes} minutes had passed:\n${leftOut.join('\n')}\n`);
  outcomes.push({ passed: 0, failed: 0, skipped: leftOut.length, failures: [], trouble: undefined });
}
process.stdout.write(`${failuresText(outcomes)}\n${totalsLine(outcomes)}\n`);
process.exit(outcomes.some(({ failed }) => failed > 0) ? 1 : 0);
