import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { endProcess, endWithUs } from '../../../scripts/vscode/endProcess.ts';
import { temporaryFolder } from '../../../scripts/vscode/temporaryFolder.ts';
import type { HostRun } from './runInVsCode.ts';

/** Runs the suite in the desktop VS Code `program` and says what was wrong beyond failed tests. */
export async function runOnDesktop(run: HostRun, program: string): Promise<string | undefined> {
  const profile = temporaryFolder('desktop');
  const child = spawn(program, argumentsFor(run, profile.path), {
    env: { ...process.env, ...run.env },
    stdio: 'ignore',
    detached: true,
  });
  endWithUs(child);
  let trouble: string | undefined;
  const limit = setTimeout(() => {
    trouble = `did not end within ${run.limit / 1000} s`;
    void endProcess(child);
  }, run.limit);
  try {
    await once(child, 'exit');
    return trouble;
  } finally {
    clearTimeout(limit);
    await endProcess(child);
    await profile.remove();
  }
}

function argumentsFor(run: HostRun, profile: string): readonly string[] {
  return [
    run.folder,
    ...[run.extensionPath, ...run.otherExtensions].map((path) => `--extensionDevelopmentPath=${path}`),
    `--extensionTestsPath=${run.testsPath}`,
    `--user-data-dir=${join(profile, 'data')}`,
    `--extensions-dir=${join(profile, 'extensions')}`,
    '--disable-workspace-trust',
    '--disable-updates',
    '--skip-welcome',
    '--skip-release-notes',
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ];
}
