import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HostRun } from './runInVsCode.ts';
import { openVsCode } from './vscodeHost.ts';

/** Runs the suite in the browser-hosted VS Code and says what was wrong beyond failed tests. */
export async function runInBrowser(run: HostRun): Promise<string | undefined> {
  const until = Date.now() + run.limit;
  const code = await openVsCode({ ...run });
  try {
    while (!existsSync(run.files.totals)) {
      if (Date.now() > until) return `did not end within ${run.limit / 1000} s`;
      if (code.server.process.exitCode !== null) return 'lost its VS Code: the server ended';
      await sleep(200);
    }
    return undefined;
  } finally {
    await code.close();
  }
}
