import { fileURLToPath } from 'node:url';
import { type RunningProgram, startProgram } from './program.ts';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

export interface Listening {
  readonly url: string;
  /** Of the demo user, where the service was started with `--demo`. */
  readonly token: string;
}

/** The service that ships, in a process of its own. */
export function startService(dataFolder: string, ...options: readonly string[]): Promise<RunningProgram<Listening>> {
  return startProgram(`${root}dist/service.js`, ['serve', '--json', '--data', dataFolder, ...options]);
}
