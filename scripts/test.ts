/** `npm test [unit|service|postgres|vscode|ui …] [--grep PATTERN]`: all suites, or those named, then one line of totals. `service` runs on both databases. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Suite, suites } from '../test/support/suite/suite.ts';
import type { SuiteOutcome } from '../test/support/suite/suiteOutcome.ts';
import { HeldOutput } from '../test/support/suite/suiteOutput.ts';
import { failuresText, runSuite, totalsLine } from '../test/support/suite/suiteRunner.ts';
import { exitOnSignals } from './vscode/endProcess.ts';
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

exitOnSignals();

const chosen = suites.filter(
  ({ name, folder }) => positionals.length === 0 || [name, folder].some((each) => positionals.includes(each)),
);
const outcomes: SuiteOutcome[] = [];
if (spawnSync(process.execPath, ['esbuild.js', '--production'], { stdio: 'inherit' }).status !== 0) {
  process.stdout.write('The build failed, which counts as one failure.\n');
  outcomes.push({ passed: 0, failed: 1, skipped: 0, failures: ['the build'], trouble: 'the build failed' });
}
// Windows and services wait for much of their time, so that other suites have room beside them: the windows from the beginning, the
// tests inside of one and those on PostgreSQL once the unit tests, which keep a processor busy, are through. More at a time take longer
// altogether on two processors.
const isAlone = chosen.length === 1;
const hasService = chosen.some(({ name }) => name === 'service');
const isBeside = (name: Suite['name']) =>
  !isAlone && (name === 'ui' || name === 'vscode' || (name === 'postgres' && hasService));
const folder = temporaryFolder('output');
const besides: { readonly held: HeldOutput; readonly outcome: Promise<SuiteOutcome> }[] = [];
const runBeside = (name: Suite['name']) => {
  const suite = chosen.find((one) => one.name === name);
  if (!suite || !isBeside(name)) return;
  const held = new HeldOutput(join(folder.path, `${name}.txt`));
  besides.push({ held, outcome: runSuite(suite, values.grep, held) });
};
runBeside('ui');
const inTurn = chosen.filter(({ name }) => !isBeside(name));
for (const suite of inTurn.filter(({ name }) => name === 'unit')) outcomes.push(await runSuite(suite, values.grep));
runBeside('vscode');
runBeside('postgres');
for (const suite of inTurn.filter(({ name }) => name !== 'unit')) outcomes.push(await runSuite(suite, values.grep));
for (const { held, outcome } of besides.toReversed()) {
  await held.printUntil(outcome);
  outcomes.push(await outcome);
}
await folder.remove();
process.stdout.write(`${failuresText(outcomes)}\n${totalsLine(outcomes)}\n`);
process.exit(outcomes.some(({ failed }) => failed > 0) ? 1 : 0);
