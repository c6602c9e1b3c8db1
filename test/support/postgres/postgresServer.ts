import { spawn } from 'node:child_process';
import { chownSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { endProcess, endWithUs } from '../../../scripts/vscode/endProcess.ts';
import { temporaryFolder } from '../../../scripts/vscode/temporaryFolder.ts';
import { eventually } from '../eventually.ts';
import { type ProcessUser, postgresPrograms, runProgram } from './postgresPrograms.ts';

/** A PostgreSQL server of its own, which goes with all of its data. */
export interface PostgresServer {
  /** Of a database that serves to make others. */
  readonly address: string;
  stop(): Promise<void>;
  /** Another server with what this one holds now, as a replica that is not kept up; this one is away for a moment. It stops with this one. */
  copy(): Promise<{ readonly port: number }>;
}

/** PostgreSQL refuses to run as root; this is who owns nothing. */
const NOBODY: ProcessUser = { uid: 65_534, gid: 65_534 };
const ACCOUNT = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'];
const SETTINGS = ['max_connections=400', 'listen_addresses=127.0.0.1'];
const NO_MORE: readonly string[] = [];
/** Speed for what no test asks of it: that the data outlives the machine. */
const HASTY = ['fsync=off', 'full_page_writes=off'];

/**
 * Starts a server that answers when this resolves, as safe as it comes where that is measured, with `more` settings. Throws when there
 * is no PostgreSQL on this machine.
 */
export async function startPostgres({ isDurable = false, more = NO_MORE } = {}): Promise<PostgresServer> {
  const folder = temporaryFolder('postgres');
  const user = process.getuid?.() === 0 ? NOBODY : {};
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder.path, user.uid, user.gid);
  const programs = postgresPrograms(folder.path, user);
  const data = join(folder.path, 'data');
  runProgram(programs, 'initdb', ['-D', data, ...ACCOUNT], user);
  const run = async (place: string, port: number) => {
    const own = [`port=${port}`, `unix_socket_directories=${folder.path}`, ...more];
    const settings = [...SETTINGS, ...(isDurable ? [] : HASTY), ...own];
    const args = ['-D', place, ...settings.flatMap((setting) => ['-c', setting])];
    const options = { ...user, cwd: folder.path, stdio: 'ignore', detached: true } as const;
    const server = spawn(join(programs, 'postgres'), args, options);
    endWithUs(server);
    await eventually(() => assertReady(place), 60_000);
    return server;
  };
  const port = await freePort();
  const servers = [await run(data, port)];
  const end = () => Promise.all(servers.splice(0).map((server) => endProcess(server, 10_000)));
  return {
    address: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop: async () => {
      await end();
      await folder.remove();
    },
    copy: async () => {
      const [place, portOfCopy] = [join(folder.path, 'copy'), await freePort()];
      await end();
      copyFolder(data, place, user);
      servers.push(await run(data, port), await run(place, portOfCopy));
      return { port: portOfCopy };
    },
  };
}

function copyFolder(from: string, to: string, { uid, gid }: ProcessUser): void {
  rmSync(join(from, 'postmaster.pid'), { force: true }); // A server that was ended leaves it behind.
  mkdirSync(to, { mode: 0o700 });
  cpSync(from, to, { recursive: true });
  if (uid === undefined || gid === undefined) return;
  for (const name of ['.', ...readdirSync(to, { recursive: true, encoding: 'utf8' })])
    chownSync(join(to, name), uid, gid);
}

/** The server says there how far it is. */
function assertReady(data: string): void {
  const state = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[7]?.trim();
  if (state !== 'ready') throw new Error(`PostgreSQL is not ready but ${state ?? 'beginning'}.`);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });
}
