import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { commandPath } from './commandPath.ts';

const version = 'stable';
const releases = `https://update.code.visualstudio.com/api/releases/${version}`;

/** The program of a desktop VS Code: the installed one, else one downloaded where that is possible, else `undefined`. */
export async function desktopVsCode(): Promise<string | undefined> {
  if (!hasDisplay()) return undefined;
  return installed() ?? (await downloaded());
}

function hasDisplay(): boolean {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/** The program behind the `code` command, which itself returns before the window closes. */
function installed(): string | undefined {
  const command = commandPath(['code', '/Applications/Visual Studio Code.app/Contents/Resources/app/bin/code']);
  if (command === undefined) return undefined;
  const home = dirname(dirname(realpathSync(command)));
  const contents = join(home, '..', '..');
  return [
    join(home, 'code'),
    join(home, 'Code.exe'),
    join(contents, 'MacOS', 'Electron'),
    join(contents, 'MacOS', 'Code'),
  ].find((program) => existsSync(program));
}

async function downloaded(): Promise<string | undefined> {
  try {
    const answer = await fetch(releases, { signal: AbortSignal.timeout(3000) });
    if (!answer.ok) return undefined;
    const cachePath = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'story-tracker', 'vscode');
    return await downloadAndUnzipVSCode({ version, cachePath, timeout: 20_000 });
  } catch {
    // A machine without that site is what the browser-hosted VS Code is for.
    return undefined;
  }
}
