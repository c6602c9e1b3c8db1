import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface TemporaryRepository {
  /** Its absolute path, with no symbolic link in it. */
  readonly folder: string;
  /** Runs git in it and gives what it printed, trimmed. */
  git(...args: readonly string[]): Promise<string>;
  remove(): Promise<void>;
}

/** A Git repository of its own with one commit, an author, and no hooks or signing from the machine's settings. */
export async function temporaryRepository(): Promise<TemporaryRepository> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'story-tracker-repository-')));
  const git = async (...args: readonly string[]) => (await run('git', args, { cwd: folder })).stdout.trim();
  await git('init', '--quiet', '--initial-branch=main');
  await git('config', 'user.name', 'Test Person');
  await git('config', 'user.email', 'test.person@example.com');
  await git('config', 'commit.gpgsign', 'false');
  await git('config', 'core.hooksPath', '.git/hooks');
  await writeFile(join(folder, 'README.md'), '# A project\n');
  await git('add', '.');
  await git('commit', '--quiet', '--message', 'Begin the project');
  return { folder, git, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) };
}
