import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A real repository in a temporary folder. */
export interface GitRepositoryFolder {
  readonly root: string;
  git(...args: readonly string[]): Promise<string>;
  /** Writes `file` and commits it; tells the hash. */
  commit(message: string, file?: string): Promise<string>;
  remove(): Promise<void>;
}

const identity = ['-c', 'user.name=Ada Lovelace', '-c', 'user.email=ada@example.org', '-c', 'commit.gpgSign=false'];

/** In the folder `place`, when one is given. */
export async function gitRepository(place?: string): Promise<GitRepositoryFolder> {
  const repository = await gitIn(place ?? (await realpath(await mkdtemp(join(tmpdir(), 'story-tracker-git-')))));
  await repository.git('init', '--quiet', '--initial-branch=main');
  return repository;
}

/** Git in a folder, which is made when it is not there, whatever is or is not in it yet. */
export async function gitIn(root: string): Promise<GitRepositoryFolder> {
  await mkdir(root, { recursive: true });
  const git = async (...args: readonly string[]) => {
    const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
    return (await run('git', [...identity, ...args], { cwd: root, env })).stdout;
  };
  return {
    root,
    git,
    async commit(message, file = 'file.txt') {
      await writeFile(join(root, file), message);
      await git('add', '--', file);
      await git('commit', '--quiet', '--cleanup=verbatim', '-m', message);
      return (await git('rev-parse', 'HEAD')).trim();
    },
    remove: () => rm(root, { recursive: true, force: true }),
  };
}
