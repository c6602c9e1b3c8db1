import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { endProcess, endWithUs } from '../../../scripts/vscode/endProcess.ts';
import { startPostgres } from '../postgres/postgresServer.ts';
import type { Suite } from './suite.ts';
import { outcomeOf, type SuiteFiles, type SuiteOutcome } from './suiteOutcome.ts';
import type { SuiteOutput } from './suiteOutput.ts';

export interface MochaRun extends Suite {
  readonly grep: string | undefined;
}

const mocha = fileURLToPath(new URL('../../../node_modules/mocha/bin/mocha.js', import.meta.url));
const reporter = fileURLToPath(new URL('totalsReporter.ts', import.meta.url));
const windowHooks = fileURLToPath(new URL('../windows/tellOfWindows.ts', import.meta.url));

/** Milliseconds a finished suite has to let go of everything it opened. */
const patience = 15_000;

/** Runs a suite in a Node of its own, printing as it goes; it is ended when it takes longer than its limit. */
export async function runMocha(run: MochaRun, files: SuiteFiles, output: SuiteOutput): Promise<SuiteOutcome> {
  const postgres = run.hasPostgres ? await startPostgres() : undefined;
  try {
    return await runOn(postgres?.address, run, files, output);
  } finally {
    await postgres?.stop();
  }
}

async function runOn(
  database: string | undefined,
  run: MochaRun,
  files: SuiteFiles,
  { stdio }: SuiteOutput,
): Promise<SuiteOutcome> {
  const timeout = run.name === 'ui' ? '180000' : '60000';
  const grep = run.grep === undefined ? [] : ['--grep', run.grep];
  const color = process.stdout.isTTY ? [] : ['--no-color'];
  const args = [
    mocha,
    ...(run.files ?? [`test/${run.folder}/**/*.test.ts`]),
    ...(run.ignored ?? []).flatMap((file) => ['--ignore', file]),
    ...(run.name === 'ui' ? ['--require', windowHooks] : []),
    ...(run.jobs === undefined ? [] : ['--parallel', '--jobs', String(run.jobs)]),
    '--reporter',
    reporter,
    '--timeout',
    timeout,
    ...color,
    ...grep,
  ];
  const child = spawn(process.execPath, args, {
    env: {
      ...process.env,
      STORY_TRACKER_TOTALS: files.totals,
      ...(database !== undefined && { STORY_TRACKER_TEST_DATABASE: database }),
    },
    stdio: ['ignore', stdio, stdio],
    detached: true,
  });
  endWithUs(child);
  const trouble = await end(child, run, files);
  return outcomeOf(files, trouble);
}

/** Waits for the end of `child` and says what was wrong with it, if anything was. */
async function end(child: ChildProcess, run: MochaRun, files: SuiteFiles): Promise<string | undefined> {
  let trouble: string | undefined;
  const stop = (reason: string) => {
    trouble = reason;
    void endProcess(child);
  };
  const limit = setTimeout(() => stop(`did not end within ${run.limit / 1000} s`), run.limit);
  const watch = setInterval(() => {
    if (!existsSync(files.totals)) return;
    clearInterval(watch);
    lateness = setTimeout(() => stop('left something open: its process did not end after its last test'), patience);
  }, 500);
  let lateness: NodeJS.Timeout | undefined;
  const [code] = await once(child, 'exit');
  for (const timer of [limit, watch, lateness]) clearTimeout(timer);
  await endProcess(child);
  return trouble ?? (code === null ? 'was killed' : undefined);
}
