import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { withLock } from './lock.ts';
import { runNpm } from './runNpm.ts';

const version = '4.139.1';

/**
 * The folder of the browser-hosted VS Code (`out/server-main.js` is in it), installed from npm on first use.
 * It lives in the user's cache because its own dependencies would double the project's `node_modules`.
 */
export async function codeServerFolder(say: (line: string) => void): Promise<string> {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'story-tracker');
  const installed = join(cache, `code-server-${version}`);
  const vscode = join(installed, 'node_modules', 'code-server', 'lib', 'vscode');
  if (!existsSync(installed)) {
    await mkdir(cache, { recursive: true });
    await withLock(`${installed}.lock`, async () => {
      if (!existsSync(installed)) await install(installed, say);
    });
  }
  return vscode;
}

/** Installs beside the target and renames, so that a killed install is never taken for a whole one. */
async function install(target: string, say: (line: string) => void): Promise<void> {
  const building = `${target}.${process.pid}`;
  const vscode = join(building, 'node_modules', 'code-server', 'lib', 'vscode');
  const began = Date.now();
  say(`Installing the browser-hosted VS Code (code-server ${version}) into ${target}; this happens once.`);
  try {
    await mkdir(building, { recursive: true });
    await runNpm(
      ['install', `code-server@${version}`, '--ignore-scripts', '--no-save', '--prefix', building],
      building,
    );
    await runNpm(['install', '--omit=dev', '--ignore-scripts', '--prefix', vscode], vscode);
    await rename(building, target);
  } finally {
    await rm(building, { recursive: true, force: true });
  }
  say(`Installed in ${Math.round((Date.now() - began) / 1000)} s.`);
}
