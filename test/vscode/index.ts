/** Runs the suite inside the extension host; VS Code calls `run`. Each test file is bundled beside this one. */
import { appendFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { format, inspect } from 'node:util';
import Mocha from 'mocha';
import * as vscode from 'vscode';
import TotalsReporter from '../support/suite/totalsReporter.ts';
import { PARTS_AT_START } from '../support/windows/partsAtStart.ts';
import { withSourcePositions } from './sourcePositions.ts';

/** Milliseconds after which a window has done what it does by itself. */
const STARTED_MS = 1500;

/** Settles when all tests ran; the totals and the report are in the files that the environment names. */
export async function run(): Promise<void> {
  process.setSourceMapsEnabled(true);
  Mocha.reporters.Base.consoleLog = (...values: unknown[]) => report(format(...values));
  process.env[PARTS_AT_START] = JSON.stringify(await partsAtStart());
  const failures = await runTests().catch((error: unknown) => {
    report(inspect(error));
    throw error;
  });
  if (failures > 0) throw new Error(`${failures} tests failed`);
}

/** The files besides its bundle that the extension has read when it has started with the window and nobody is signed in. */
async function partsAtStart(): Promise<readonly string[]> {
  const extension = vscode.extensions.getExtension('story-tracker.story-tracker');
  await extension?.activate();
  await sleep(STARTED_MS);
  const folder = join(extension?.extensionPath ?? '', 'dist');
  return Object.keys(require.cache).filter((path) => path.startsWith(folder) && basename(path) !== 'extension.js');
}

function runTests(): Promise<number> {
  const grep = process.env.STORY_TRACKER_GREP;
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 60_000,
    color: false,
    reporter: TotalsReporter,
    ...(grep === undefined ? {} : { grep }),
  });
  for (const name of readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).toSorted())
    if (name.endsWith('.test.js')) mocha.addFile(join(__dirname, name));
  return new Promise((resolve) => void mocha.run(resolve));
}

/** The extension host's own output is not the test run's: the runner prints what is appended to this file. */
function report(line: string): void {
  const file = process.env.STORY_TRACKER_REPORT;
  if (file !== undefined) appendFileSync(file, `${withSourcePositions(line, join(__dirname, '../../..'))}\n`);
}
