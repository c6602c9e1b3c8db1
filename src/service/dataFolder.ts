import { chmod, mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where data goes when the command line does not say: the user's data folder of the platform. */
export function defaultDataFolder(env: NodeJS.ProcessEnv = process.env, platform: string = process.platform): string {
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(homedir(), 'AppData', 'Local'), 'Story Tracker');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Story Tracker');
  return join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'story-tracker');
}

/** Makes the folder when it is missing, for its owner only, and gives its absolute path. */
export async function prepareDataFolder(folder: string): Promise<string> {
  const path = resolve(folder);
  const made = await mkdir(path, { recursive: true, mode: 0o700 });
  if (made !== undefined) await chmod(path, 0o700);
  return path;
}
