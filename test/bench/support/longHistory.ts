import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface HistorySize {
  readonly commits: number;
  readonly branches: number;
  readonly tags: number;
}

const DAY = 86_400;

/** A repository of one person, an hour between its commits, the last of them a day ago; branches and tags are spread over them. */
export async function longHistory(root: string, { commits, branches, tags }: HistorySize): Promise<void> {
  await mkdir(root, { recursive: true });
  const git = (...args: readonly string[]) => run('git', args, { cwd: root, maxBuffer: 100_000_000 });
  await git('init', '--quiet', '--initial-branch=main');
  for (const [name, value] of [
    ['user.name', 'Ada'],
    ['user.email', 'ada@example.org'],
    ['commit.gpgSign', 'false'],
    ['gc.auto', '0'],
  ] as const) {
    await git('config', name, value);
  }
  await imported(root, commits);
  const { stdout } = await git('rev-list', 'main');
  const hashes = stdout.trim().split('\n');
  const at = (index: number, of: number) => hashes[Math.floor((index * hashes.length) / of)];
  const refs = [
    ...Array.from({ length: branches }, (_, index) => `${at(index, branches)} refs/heads/topic/${index}`),
    ...Array.from({ length: tags }, (_, index) => `${at(index, tags)} refs/tags/v${index}`),
    `${hashes[0]} refs/heads/main`,
  ];
  await writeFile(join(root, '.git/packed-refs'), `${refs.join('\n')}\n`);
}

async function imported(root: string, commits: number): Promise<void> {
  const importing = spawn('git', ['fast-import', '--quiet'], { cwd: root, stdio: ['pipe', 'ignore', 'inherit'] });
  const ended = once(importing, 'close');
  const last = Math.floor(Date.now() / 1000) - DAY;
  for (let index = 0; index < commits; index += 1) {
    const message = `Say when the water is high enough ${index} [#${1 + (index % 500)}]`;
    const who = `Ada <ada@example.org> ${last - (commits - 1 - index) * 3600} +0000`;
    const piece = `commit refs/heads/main\ncommitter ${who}\ndata ${message.length}\n${message}\n\n`;
    if (!importing.stdin.write(piece)) await once(importing.stdin, 'drain');
  }
  importing.stdin.end();
  const [code] = await ended;
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`);
}

/** Makes a commit; the time is not counted anywhere. */
export function committed(root: string, message: string): void {
  execFileSync('git', ['commit', '--quiet', '--allow-empty', '--no-verify', '-m', message], { cwd: root });
}

/** Makes a branch so many commits back and checks it out without touching files. */
export function branchedBack(root: string, name: string, commits: number): void {
  execFileSync('git', ['branch', name, `main~${commits}`], { cwd: root });
  execFileSync('git', ['symbolic-ref', 'HEAD', `refs/heads/${name}`], { cwd: root });
}

export function backOnMain(root: string): void {
  execFileSync('git', ['symbolic-ref', 'HEAD', 'refs/heads/main'], { cwd: root });
}
