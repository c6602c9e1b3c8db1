/** `npm test [unit|service|postgres|vscode|ui …] [--grep PATTERN]`: all suites, or those named, then one line of totals. `service` runs on both databases. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { suites } from '../test/support/suite.ts';
import type { SuiteOutcome } from '../test/support/suiteOutcome.ts';
import { HeldOutput } from '../test/support/suiteOutput.ts';
import { runSuite, totalsLine } from '../test/support/suiteRunner.ts';
import { temporaryFolder } from './vscode/temporaryFolder.ts';

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
// Windows wait for most of their time, so that the other suites have room beside them.
const beside = chosen.length > 1 ? chosen.find(({ name }) => name === 'ui') : undefined;
const folder = temporaryFolder('output');
const held = new HeldOutput(join(folder.path, 'output.txt'));
const besideOutcome = beside && runSuite(beside, values.grep, held);
for (const suite of chosen) if (suite !== beside) outcomes.push(await runSuite(suite, values.grep));
await held.printUntil(besideOutcome ?? Promise.resolve());
if (besideOutcome) outcomes.push(await besideOutcome);
await folder.remove();
process.stdout.write(`\n${totalsLine(outcomes)}\n`);
process.exit(outcomes.some(({ failed }) => failed > 0) ? 1 : 0);
