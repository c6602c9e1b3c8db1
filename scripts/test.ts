/** `npm test [unit|service|postgres|vscode|ui …] [--grep PATTERN]`: all suites, or those named, then one line of totals. `service` runs on both databases. */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { suites } from '../test/support/suite.ts';
import type { SuiteOutcome } from '../test/support/suiteOutcome.ts';
import { runSuite, totalsLine } from '../test/support/suiteRunner.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { grep: { type: 'string', short: 'g' } },
});
const unknown = positionals.filter((name) => !suites.some((suite) => suite.name === name));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no suite ${unknown.join(', ')}; there are ${suites.map(({ name }) => name).join(', ')}.\n`,
  );
  process.exit(2);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));

const chosen = suites.filter(
  ({ name, folder }) => positionals.length === 0 || [name, folder].some((each) => positionals.includes(each)),
);
const outcomes: SuiteOutcome[] = [];
if (spawnSync(process.execPath, ['esbuild.js', '--production'], { stdio: 'inherit' }).status !== 0) {
  process.stdout.write('The build failed, which counts as one failure.\n');
  outcomes.push({ passed: 0, failed: 1, skipped: 0, trouble: 'the build failed' });
}
for (const suite of chosen) outcomes.push(await runSuite(suite, values.grep));
process.stdout.write(`\n${totalsLine(outcomes)}\n`);
process.exit(outcomes.some(({ failed }) => failed > 0) ? 1 : 0);
