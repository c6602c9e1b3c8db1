/**
 * What every npm script calls. Plain JavaScript without dependencies, so that it runs on any Node from 20 on in a bare clone:
 * it installs what is missing, then hands over to the project's own Node.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
const node = join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** The programs that each script runs, one after the other; the arguments of a person go to the last. `node` runs what they name. */
const scripts = {
  start: [['scripts/start.ts']],
  test: [['scripts/test.ts']],
  'test:installed': [['scripts/test.ts', 'ui', '--installed']],
  'test:file': [[tool('mocha', 'mocha'), '--timeout', '60000']],
  reference: [['scripts/reference.ts']],
  node: [[]],
  build: [['esbuild.js', '--production']],
  bench: [['esbuild.js', '--production'], ['test/bench/main.ts']],
  package: [['esbuild.js', '--production'], ['scripts/package.ts']],
  'package:service': [['esbuild.js', '--production'], ['scripts/packageService.ts']],
  check: [
    [tool('typescript', 'tsc'), '-p', '.'],
    [tool('typescript', 'tsc'), '-p', 'scripts/vscode/newest'],
    [tool('typescript', 'tsc'), '-p', 'src/features/storyPanel/page'],
    [tool('typescript', 'tsc'), '-p', 'src/features/projectSettings/page'],
    [tool('@biomejs/biome', 'biome'), 'check', '.'],
    ['scripts/houseFigures.ts'],
    ['scripts/test.ts', 'unit'],
  ],
};

/** npm's shell does not pass a signal on: when it is gone, whoever stopped npm meant us. */
const parent = process.ppid;

const [name, ...rest] = process.argv.slice(2);
const programs = scripts[name];
if (programs === undefined) end(`There is no script "${name}"; there are ${Object.keys(scripts).join(', ')}.`);

process.chdir(root);
if (!isInstalled()) install();
for (const [index, program] of programs.entries()) {
  const code = await run(index === programs.length - 1 ? [...program, ...rest] : program);
  if (code !== 0) process.exit(code);
}

/** The script behind a package's command, so that it runs on the project's own Node. */
function tool(name, command) {
  return { name, command };
}

function fileOf({ name, command }) {
  const folder = join(modules, name);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof bin === 'string' ? bin : bin[command]);
}

function run(program) {
  const args = program.map((part) => (typeof part === 'string' ? part : fileOf(part)));
  const path = `${join(modules, '.bin')}${delimiter}${process.env.PATH ?? ''}`;
  const child = spawn(node, args, { stdio: 'inherit', env: { ...process.env, PATH: path } });
  const forward = (signal) => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forward);
  const orphaned = setInterval(() => process.ppid !== parent && forward('SIGTERM'), 500);
  if (process.env.npm_lifecycle_event === undefined) clearInterval(orphaned);
  return new Promise((resolve) => {
    child.once('error', (error) => end(error.message));
    child.once('exit', (code, signal) => {
      clearInterval(orphaned);
      for (const other of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(other, forward);
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
}

/** Whether what npm put into `node_modules` is what the lock file asks for. */
function isInstalled() {
  const wanted = packagesIn(join(root, 'package-lock.json'));
  const present = packagesIn(join(modules, '.package-lock.json'));
  if (wanted === undefined || present === undefined || !existsSync(node)) return false;
  return Object.entries(wanted).every(
    ([path, { version, optional }]) => path === '' || optional || present[path]?.version === version,
  );
}

function packagesIn(lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** Installs by the lock file; a second script started meanwhile waits instead of installing over it. */
function install() {
  const lock = join(tmpdir(), `story-tracker-install-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`);
  while (!taken(lock)) {
    if (!holderLives(lock)) rmSync(lock, { force: true });
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  }
  const failed = !isInstalled() && !installs();
  rmSync(lock, { force: true });
  if (failed) end('The dependencies could not be installed; npm says why above.');
}

function installs() {
  process.stderr.write('Installing dependencies (npm ci) …\n');
  const options = { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' };
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], options);
  return status === 0 && existsSync(node);
}

function taken(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Whether the process that holds the lock still runs; one that has not written its number yet does. */
function holderLives(lock) {
  try {
    const holder = Number(readFileSync(lock, 'utf8'));
    return holder === 0 || process.kill(holder, 0);
  } catch (error) {
    return error.code === 'EPERM' || error.code === 'ENOENT';
  }
}

function end(reason) {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}
