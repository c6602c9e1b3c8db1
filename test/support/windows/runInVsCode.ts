import { fileURLToPath } from 'node:url';
import { desktopVsCode } from '../../../scripts/vscode/desktop.ts';
import { workspaceRepository } from '../git/workspaceRepository.ts';
import { followReport } from '../suite/followReport.ts';
import type { MochaRun } from '../suite/runMocha.ts';
import { outcomeOf, type SuiteFiles, type SuiteOutcome } from '../suite/suiteOutcome.ts';
import { bundleNeighbour, bundleVsCodeTests } from './bundleVsCodeTests.ts';
import { runInBrowser } from './runInBrowser.ts';
import { runOnDesktop } from './runOnDesktop.ts';

/** What both hosts of the extension-host suite are given. */
export interface HostRun {
  readonly folder: string;
  readonly extensionPath: string;
  /** Folders of other extensions. */
  readonly otherExtensions: readonly string[];
  readonly testsPath: string;
  readonly files: SuiteFiles;
  readonly limit: number;
  readonly env: NodeJS.ProcessEnv;
}

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Runs `test/vscode` inside a real VS Code: the desktop one where there is one, else the browser-hosted one. */
export async function runInVsCode(
  run: MochaRun,
  files: SuiteFiles,
  print: (text: string) => void,
): Promise<SuiteOutcome> {
  const testsPath = await bundleVsCodeTests(root);
  const repository = await workspaceRepository();
  const desktop = await desktopVsCode();
  const hostRun: HostRun = {
    folder: repository.root,
    extensionPath: root,
    otherExtensions: [await bundleNeighbour(root)],
    testsPath,
    files,
    limit: run.limit,
    env: {
      STORY_TRACKER_TOTALS: files.totals,
      STORY_TRACKER_REPORT: files.report,
      ...(run.grep === undefined ? {} : { STORY_TRACKER_GREP: run.grep }),
    },
  };
  const report = followReport(files.report, print);
  try {
    print(`Host: ${desktop === undefined ? 'browser-hosted VS Code' : `desktop VS Code, ${desktop}`}\n`);
    const trouble = await (desktop === undefined ? runInBrowser(hostRun) : runOnDesktop(hostRun, desktop));
    return outcomeOf(files, trouble);
  } finally {
    report.stop();
    await repository.remove();
  }
}
