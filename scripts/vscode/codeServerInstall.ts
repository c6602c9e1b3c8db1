import { existsSync } from 'node:fs';
import { copyFile, mkdir, rename, rm } from 'node:fs/promises';
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
  if (!isWhole(vscode)) {
    await mkdir(cache, { recursive: true });
    await withLock(`${installed}.lock`, async () => {
      if (!existsSync(installed)) await install(installed, say);
      else if (!isWhole(vscode)) await installSharedPackages(vscode);
    });
  }
  return vscode;
}

/** Whether it is there with what its own extensions share. */
function isWhole(vscode: string): boolean {
  return existsSync(join(vscode, 'extensions', 'node_modules'));
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
    await installSharedPackages(vscode);
    await rename(building, target);
  } finally {
    await rm(building, { recursive: true, force: true });
  }
  say(`Installed in ${Math.round((Date.now() - began) / 1000)} s.`);
}

/**
 * Installs what the extensions of VS Code share, such as the server that knows TypeScript and JavaScript: opening a file of these
 * shows an error without it. Beside the extensions first, as `install` does.
 */
async function installSharedPackages(vscode: string): Promise<void> {
  const extensions = join(vscode, 'extensions');
  const building = join(vscode, `extensions.${process.pid}`);
  try {
    await mkdir(building, { recursive: true });
    for (const name of ['package.json', 'npm-shrinkwrap.json']) {
      await copyFile(join(extensions, name), join(building, name));
    }
    await runNpm(['install', '--omit=dev', '--ignore-scripts', '--prefix', building], building);
    await rename(join(building, 'node_modules'), join(extensions, 'node_modules'));
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}
