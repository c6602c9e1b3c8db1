import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { endProcess, endWithUs } from '../../../scripts/vscode/endProcess.ts';

/** Bundles one of `programs` as what ships is bundled, so that no compiler counts in its memory; gives its path. */
export async function bundledProgram(name: string, folder: string): Promise<string> {
  const source = new URL(`../programs/${name}.ts`, import.meta.url).pathname;
  const outfile = join(folder, `${basename(name)}.cjs`);
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    minify: true,
    logLevel: 'warning',
  });
  return outfile;
}

/** Runs a program to its end and reads the JSON it prints as its last line. */
export async function answerOf<T>(program: string, args: readonly string[], flags: readonly string[] = []): Promise<T> {
  const child = spawn(process.execPath, [...flags, program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  endWithUs(child);
  const printed: Buffer[] = [];
  child.stdout.on('data', (data: Buffer) => printed.push(data));
  const [code] = await once(child, 'close');
  const text = Buffer.concat(printed).toString().trim();
  if (code !== 0) throw new Error(`${basename(program)} ended with ${code}: ${text}`);
  return JSON.parse(text.split('\n').at(-1) ?? '');
}

/** A program that goes on, and what it said first. */
export interface RunningProgram<T> {
  readonly said: T;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

/** Starts a program that prints one line of JSON when it is ready. */
export async function startProgram<T>(program: string, args: readonly string[]): Promise<RunningProgram<T>> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  endWithUs(child);
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${basename(program)} ended with ${code} before it was ready.`);
  });
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
  ended.catch(() => undefined);
  child.stdout.resume();
  return { said: JSON.parse(String(line)), process: child, stop: () => endProcess(child) };
}
