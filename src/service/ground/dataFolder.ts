import { chmod, mkdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { errorCode } from './errors.ts';

/** Where data goes when the command line does not say: the user's data folder of the platform. */
export function defaultDataFolder(env: NodeJS.ProcessEnv = process.env, platform: string = process.platform): string {
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(homedir(), 'AppData', 'Local'), 'Story Tracker');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Story Tracker');
  return join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'story-tracker');
}

/** Makes the folder when it is missing, for its owner only, and gives its absolute path. */
export async function prepareDataFolder(folder: string): Promise<string> {
  const path = resolve(folder);
  if (await makeFolders(path)) await chmod(path, 0o700);
  return path;
}

/**
 * Makes a folder and those above it that are missing; whether it was missing. One by one, since Node tries for ever where the system
 * says of a folder that it cannot hold another one that there is none, as it does below `/proc`.
 */
async function makeFolders(path: string): Promise<boolean> {
  if (await stat(path).catch(() => undefined)) {
    await mkdir(path, { recursive: true }); // Throws for what is no folder.
    return false;
  }
  if (dirname(path) !== path) await makeFolders(dirname(path));
  await mkdir(path, { mode: 0o700 }).catch(async (error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
    await mkdir(path, { recursive: true }); // Another process was quicker, or it is a link that leads nowhere, which throws.
  });
  return true;
}
