import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCommitHooks } from '../../../src/git/commitHooks.ts';
import { type GitRepositoryFolder, gitRepository } from '../../support/git/gitRepository.ts';

const MARKER = '[fixes #12]';
const long = `${'x'.repeat(70)}\n`.repeat(500);

/** What stands in the file that `git commit -m` or `-F` has made, and what is to stand there. */
const messages: Readonly<Record<string, string>> = {
  'Sort\n': `Sort ${MARKER}\n`,
  Sort: `Sort ${MARKER}\n`,
  'x\n': `x ${MARKER}\n`,
  'Sort it!\n': `Sort it! ${MARKER}\n`,
  'Sort "it"\n': `Sort "it" ${MARKER}\n`,
  'Sort  \t\n': `Sort ${MARKER}\n`,
  ' Sort\n': ` Sort ${MARKER}\n`,
  'Übung größer\n': `Übung größer ${MARKER}\n`,
  'Sort 日本\n\nText 日本\n': `Sort 日本 ${MARKER}\n\nText 日本\n`,
  'Back \\n \\\\ $HOME `id` $(id) %s *\n\n\\t %d $1\n': `Back \\n \\\\ $HOME \`id\` $(id) %s * ${MARKER}\n\n\\t %d $1\n`,
  'Sort\n\n  indented\n\n\nlast': `Sort ${MARKER}\n\n  indented\n\n\nlast\n`,
  'Sort\n\nSigned-off-by: Ada <a@b.c>\n': `Sort ${MARKER}\n\nSigned-off-by: Ada <a@b.c>\n`,
  'Sort\r\n\r\nBody\r\n': `Sort ${MARKER}\r\n\r\nBody\r\n`,
  'Sort #5 of 7\n': `Sort #5 of 7 ${MARKER}\n`,
  'Sort [a] #5 [b]\n': `Sort [a] #5 [b] ${MARKER}\n`,
  '\nSort\n': `\nSort ${MARKER}\n`,
  'Sort [#3]\n': 'Sort [#3]\n',
  'fixup! Sort\n': 'fixup! Sort\n',
  'fixup! Sort #5\n': 'fixup! Sort #5\n',
  'squash! Sort\n\nMore\n': 'squash! Sort\n\nMore\n',
  'amend! Sort\n\nSort it\n': 'amend! Sort\n\nSort it\n',
  'fixup!\n': `fixup! ${MARKER}\n`,
  'Sort\n\nBody [delivers #3 #4]\n': 'Sort\n\nBody [delivers #3 #4]\n',
  [`Sort\n\n${long}`]: `Sort ${MARKER}\n\n${long}`,
  '': ` ${MARKER}\n\n`,
};

/** Where the hook is now. */
async function installed(root: string): Promise<string> {
  const hooks = createCommitHooks();
  await hooks.install(root, 'fixes');
  return (await hooks.place(root)).file;
}

const shells: readonly (readonly string[])[] = [
  ['sh'],
  ['dash'],
  ['bash', '--posix'],
  ['busybox', 'sh'],
  ['mksh'],
].filter(([program = '']) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0);

describe('The script of the hook for commit messages', function () {
  this.timeout(30_000);
  let repository: GitRepositoryFolder;
  let hook: string;
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-script-'));
    hook = join(folder, "the hook's file");
    repository = await gitRepository();
    await rename(await installed(repository.root), hook);
    await repository.git('config', 'branch.main.storyTrackerStory', '12');
  });
  after(async () => {
    await repository.remove();
    await rm(folder, { recursive: true });
  });

  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };

  async function written(shell: readonly string[], message: string, file = '.git/COMMIT_EDITMSG'): Promise<string> {
    await writeFile(join(repository.root, file), message);
    const [program = 'sh', ...options] = shell;
    const { status, stderr } = spawnSync(program, [...options, hook, file, 'message'], { cwd: repository.root, env });
    assert.deepEqual([status, stderr.toString()], [0, '']);
    return readFile(join(repository.root, file), 'utf8');
  }

  for (const shell of shells) {
    it(`does the same in ${shell.join(' ')}`, async () => {
      for (const [message, expected] of Object.entries(messages)) {
        assert.equal(await written(shell, message), expected, JSON.stringify(message.slice(0, 80)));
      }
    });
  }

  it('takes the branch of the worktree, whatever else has its name, and where Git keeps HEAD in its own way', async () => {
    await repository.commit('First');
    await repository.git('tag', 'main');
    assert.equal(await written(['sh'], 'Sort\n'), `Sort ${MARKER}\n`);
    assert.equal(await written(['sh'], 'Sort\n', 'message'), `Sort ${MARKER}\n`, 'no HEAD beside the message');
    await repository.git('worktree', 'add', '--quiet', '-b', 'side.x/y+z', join(folder, 'tree'));
    await repository.git('config', 'branch.side.x/y+z.storyTrackerStory', '#7');
    const file = join(
      execFileSync('git', ['-C', join(folder, 'tree'), 'rev-parse', '--git-dir'], { encoding: 'utf8' }).trim(),
      'COMMIT_EDITMSG',
    );
    await writeFile(file, 'Sort\n');
    execFileSync('sh', [hook, file, 'message'], { cwd: join(folder, 'tree'), env });
    assert.equal(await readFile(file, 'utf8'), 'Sort [fixes #7]\n');
  });

  it('starts Git once for a plain message, and nothing else', async () => {
    const shims = join(folder, 'shims');
    const log = join(folder, 'started');
    await mkdir(shims);
    for (const name of ['git', 'awk', 'cat', 'mv', 'rm', 'sed', 'grep', 'dirname', 'printf', 'test']) {
      const real = `PATH='${process.env.PATH}' exec ${name} "$@"`;
      await writeFile(join(shims, name), `#!/bin/sh\necho ${name} >>'${log}'\n${real}\n`, { mode: 0o755 });
    }
    const started = async (message: string) => {
      await writeFile(log, '');
      await writeFile(join(repository.root, '.git/COMMIT_EDITMSG'), message);
      const path = `${shims}:${process.env.PATH}`;
      execFileSync('sh', [hook, '.git/COMMIT_EDITMSG', 'message'], {
        cwd: repository.root,
        env: { ...env, PATH: path },
      });
      return (await readFile(log, 'utf8')).trim().split('\n');
    };
    assert.deepEqual(await started('Sort\n\nBody\n'), ['git']);
    assert.deepEqual(await started('Sort #5\n'), ['git', 'awk', 'mv']);
    await repository.git('config', '--unset', 'branch.main.storyTrackerStory');
    assert.deepEqual(await started('Sort\n'), ['git']);
  });
});
