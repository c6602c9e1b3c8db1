import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { calmSettings } from '../vscode/settings.ts';
import type { Place } from './place.ts';

/** What makes the extension sign in to the built-in service with the demo project, unasked. */
export function demoSettings(place: Place): Readonly<Record<string, unknown>> {
  return {
    'storyTracker.builtIn.signIn': 'automatic',
    'storyTracker.builtIn.demoProject': true,
    'storyTracker.builtIn.dataFolder': join(place.home, 'data'),
  };
}

/** Writes `settings` into `file` as VS Code keeps them. */
export async function writeSettings(file: string, settings: Readonly<Record<string, unknown>>): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(settings, undefined, 2)}\n`);
}

/** A new user sees first what the demo repository says to try. Settings that a person has changed since are left alone. */
export async function writeFirstSettings(file: string): Promise<void> {
  const there = await readFile(file, 'utf8').catch(() => undefined);
  if (there === undefined) await writeSettings(file, { ...calmSettings, 'workbench.startupEditor': 'readme' });
}
