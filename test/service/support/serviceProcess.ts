import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bundledProgram } from './bundledProgram.ts';
import { databaseOf } from './testDatabase.ts';

const sources = fileURLToPath(new URL('../../../src/service/main.ts', import.meta.url));
/** Below the root, where the program finds its version. */
const folder = fileURLToPath(new URL(`../../../out/service-${process.pid}`, import.meta.url));
/** Characters of what a service last said, for the error of one that does not start. */
const KEPT_WORDS = 4_000;
let built: Promise<string> | undefined;

/** The command line, built of its sources when it is first asked for: as a file of its own it starts four times as soon. */
export function serviceProgram(): Promise<string> {
  built ??= buildProgram();
  return built;
}

async function buildProgram(): Promise<string> {
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return bundledProgram(sources, folder);
}

export type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** A service in a process of its own. */
export interface ServiceProcess {
  readonly child: Child;
  readonly url: string;
  readonly token: string;
  /** Where replies to mails are taken; empty when nowhere. */
  readonly replies: string;
  /** Where its metrics are read; empty when nowhere. */
  readonly metrics: string;
  /** Ends it as told and gives its exit code, or the signal that killed it. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line to its end. */
export async function runService(
  args: readonly string[],
  input = '',
  env: NodeJS.ProcessEnv = {},
  program?: string,
): Promise<Finished> {
  const child = await start(await onTestDatabase(args), env, program);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.on('error', () => undefined).end(input); // Who refuses the arguments may be gone before it reads anything.
  const [code] = await once(child, 'close');
  return { code: Number(code), stdout, stderr };
}

/** Starts the command line; what it says is for the caller to read. */
export async function startCommand(args: readonly string[]): Promise<Child> {
  return start(await onTestDatabase(args));
}

/** Starts the command line and leaves it to itself. */
export async function serviceCommand(args: readonly string[]): Promise<Child> {
  const child = await startCommand(args);
  child.stdout.resume();
  child.stderr.resume();
  return child;
}

/** Starts `serve` and waits until it listens. */
export async function serveProcess(
  args: readonly string[],
  program?: string,
  env: NodeJS.ProcessEnv = {},
): Promise<ServiceProcess> {
  const child = await start(await onTestDatabase(['serve', '--json', ...args]), env, program);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(-KEPT_WORDS);
  });
  const lines = createInterface({ input: child.stdout });
  const [line] = await Promise.race([once(lines, 'line'), once(child, 'close').then(() => [''])]);
  if (!line) throw new Error(`The service did not start (${child.exitCode ?? child.signalCode}): ${said}`);
  const { url, token = '', replies = '', metrics = '' } = JSON.parse(String(line));
  return { child, url, token, replies, metrics, end: (signal) => end(child, signal) };
}

/** Starts `serve` and kills it after so many milliseconds, whether it listens by then or not. */
export async function killAtStart(args: readonly string[], program: string, milliseconds: number): Promise<void> {
  const child = await start(await onTestDatabase(['serve', '--json', ...args]), {}, program);
  for (const stream of [child.stdout, child.stderr]) stream.resume();
  await wait(milliseconds);
  await end(child, 'SIGKILL');
}

export async function end(child: Child, signal: NodeJS.Signals): Promise<number | NodeJS.Signals> {
  const ended = child.exitCode ?? child.signalCode;
  if (ended !== null) return ended;
  const exited = once(child, 'exit');
  child.kill(signal);
  const [code, killedBy] = await exited;
  return code ?? killedBy;
}

/** The data folder of a test has its database on the server that the suite runs on. */
async function onTestDatabase(args: readonly string[]): Promise<readonly string[]> {
  if (args[0] === 'restore') return args; // It knows files only.
  const folder = args[args.indexOf('--data') + 1];
  if (!args.includes('--data') || !folder?.trim() || args.includes('--database')) return args;
  const { database } = await databaseOf(folder);
  return database === undefined ? args : [...args, '--database', database];
}

async function start(args: readonly string[], env: NodeJS.ProcessEnv = {}, program?: string): Promise<Child> {
  return spawn(process.execPath, [program ?? (await serviceProgram()), ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, NODE_NO_WARNINGS: '1', ...env },
  });
}
