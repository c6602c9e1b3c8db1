import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { endProcess } from '../vscode/endProcess.ts';
import { calmSettings } from '../vscode/settings.ts';
import type { Place } from './place.ts';
import { demoSettings, writeSettings } from './settings.ts';

/** Opens the desktop VS Code `program` and stays until its window closes or this process is asked to stop. */
export async function runDesktop(place: Place, program: string): Promise<number> {
  const userData = join(place.home, 'desktop');
  const settings = join(userData, 'User', 'settings.json');
  // A desktop VS Code has no machine settings, so ours share the file with the person's: written once, then theirs.
  const isFirstTime = !existsSync(settings);
  if (isFirstTime) await writeSettings(settings, { ...calmSettings, ...demoSettings(place) });
  // What to try, at first.
  const files = isFirstTime ? [join(place.folder, 'README.md')] : [];
  const child = spawn(program, [...argumentsFor(place, userData), ...files], { stdio: 'ignore', detached: true });
  process.stdout.write(
    `Story Tracker runs in a window of ${program}. Close it or press Ctrl+C to stop; your changes are kept in ${place.home}.\n`,
  );
  const stop = () => void endProcess(child);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
  await once(child, 'exit');
  return 0;
}

function argumentsFor(place: Place, userData: string): readonly string[] {
  return [
    place.folder,
    `--extensionDevelopmentPath=${place.root}`,
    `--user-data-dir=${userData}`,
    `--extensions-dir=${join(place.home, 'extensions')}`,
    '--disable-workspace-trust',
    '--skip-welcome',
    '--skip-release-notes',
    '--disable-updates',
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ];
}
