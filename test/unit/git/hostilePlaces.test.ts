import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFile,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCommitHooks } from '../../../src/git/commitHooks.ts';
import { createHistory } from '../../../src/git/history.ts';
import { GitCommitFinder } from '../../../src/git/newCommits.ts';
import { safeGit, useGit } from '../../../src/git/safeGit.ts';
import { type GitRepositoryFolder, gitRepository } from '../../support/git/gitRepository.ts';

const hooks = createCommitHooks();
const history = createHistory();

describe('a hostile place', function () {
  this.timeout(20_000);
  let repository: GitRepositoryFolder;
  let aside: string;
  let program: string;
  let hash: string;

  beforeEach(async () => {
    repository = await gitRepository();
    aside = await realpath(await mkdtemp(join(tmpdir(), 'story-tracker-place-')));
    program = join(aside, 'program');
    await writeFile(program, `#!/bin/sh\necho run >>'${join(aside, 'left')}'\nexit 1\n`, { mode: 0o755 });
    hash = await repository.commit('One [fixes #1]');
  });
  afterEach(async () => {
    await repository.remove();
    await rm(aside, { recursive: true });
  });

  const inGit = (name: string) => join(repository.root, '.git', name);
  const hookFile = () => inGit('hooks/prepare-commit-msg');
  const assertNothingRan = async () => assert.ok(!(await readdir(aside)).includes('left'));

  function find(root = repository.root, known: readonly string[] = []) {
    const tips = known.map((one, index) => ({ ref: `refs/heads/known-${index}`, hash: one }));
    const finder = new GitCommitFinder({
      seen: async () => ({ firstAt: 0, tips }),
      note: async (_repository, _tips, found) => found,
      settle: async () => undefined,
      repositories: async () => [],
      move: async () => undefined,
    });
    return finder.find(root, { emails: ['ada@example.org'] });
  }

  const subjects = async (root?: string) => (await find(root)).commits.map(({ message }) => message);

  describe('for a hook', () => {
    beforeEach(() => mkdir(inGit('hooks'), { recursive: true }));

    it('is not written through: a link that waits for the new file', async () => {
      const victim = join(aside, 'profile');
      await writeFile(victim, 'precious');
      await symlink(victim, `${hookFile()}.made-by-story-tracker`);
      await hooks.install(repository.root, 'fixes');
      assert.equal(await readFile(victim, 'utf8'), 'precious');
      assert.equal((await hooks.place(repository.root)).owner, 'us');
    });

    it('is not read: a link to what never ends, a pipe, a folder', async () => {
      await symlink('/dev/zero', hookFile());
      assert.equal((await hooks.place(repository.root)).owner, 'others');
      await rm(hookFile());
      execFileSync('mkfifo', [hookFile()]);
      assert.equal((await hooks.place(repository.root)).owner, 'others');
      await rm(hookFile());
      await mkdir(hookFile());
      assert.equal((await hooks.place(repository.root)).owner, 'others');
      await assert.rejects(hooks.install(repository.root, 'fixes'), /Move the folder .* away first/);
    });

    it('is not taken for the repository’s own: a link to a folder elsewhere, and a way out of it', async () => {
      const shared = join(aside, 'shared');
      await mkdir(shared);
      await rm(inGit('hooks'), { recursive: true });
      await symlink(shared, inGit('hooks'));
      assert.equal((await hooks.place(repository.root)).isOwn, false);
      for (const path of ['.git/../..', '.git/hooks/../../../x', '..', '/', '~/hooks', aside, '.git', 'new\nline']) {
        await repository.git('config', 'core.hooksPath', path);
        assert.equal((await hooks.place(repository.root)).isOwn, false, path);
      }
    });

    it('is refused with a sentence where Git cannot read it', async () => {
      await repository.git('config', 'core.hooksPath', '~nobody-of-this-name/hooks');
      await assert.rejects(hooks.place(repository.root), /^Error: Git failed in /);
    });
  });

  it('belongs to someone else: nothing of it is asked', async function () {
    if (process.getuid?.() !== 0) this.skip();
    await chown(repository.root, 12345, 12345);
    await chown(inGit(''), 12345, 12345);
    await appendFile(inGit('config'), `\n[core]\nfsmonitor = ${program}\n`);
    await assert.rejects(find(), /Git does not trust .* because it belongs to another user/);
    await assert.rejects(history.commits(repository.root, { limit: 1 }), /Git does not trust/);
    await assert.rejects(hooks.install(repository.root, 'fixes'), /Git does not trust/);
    await assertNothingRan();
  });

  it('looks like a repository without working tree: it is none', async () => {
    const bare = join(repository.root, 'docs');
    await cp(inGit(''), bare, { recursive: true });
    await appendFile(join(bare, 'config'), `\n[core]\nbare = true\nfsmonitor = ${program}\npager = ${program}\n`);
    await assert.rejects(find(bare));
    await assert.rejects(history.commits(bare, { limit: 1 }));
    await assert.rejects(hooks.install(bare, 'fixes'));
    await assertNothingRan();
  });

  it('is a .git file that names another folder, with a configuration of its own: nothing of that is run', async () => {
    const other = join(aside, 'elsewhere');
    await rename(inGit(''), other);
    await writeFile(join(repository.root, '.git'), `gitdir: ${other}\n`);
    await appendFile(join(other, 'config'), `\n[core]\nfsmonitor = ${program}\npager = ${program}\nworktree = /\n`);
    assert.deepEqual(await subjects(), ['One [fixes #1]']);
    await assertNothingRan();
  });

  it('has branches of names that Git would not make', async () => {
    const lines = ['-c', '--upload-pack=program', '--output=left', 'a"b', '$(id)', '`id`', 'é\u202e', ';id', '@'];
    const packed = lines.map((name) => `${hash} refs/heads/${name}`);
    const broken = [`${hash} refs/heads/two words`, `${hash} refs/heads/../../../x`, 'no hash refs/heads/x', ''];
    await writeFile(inGit('packed-refs'), `${packed.join('\n')}\n`);
    assert.deepEqual(await subjects(), ['One [fixes #1]']);
    await writeFile(inGit('packed-refs'), [...packed, ...broken].join('\n'));
    await find().catch(({ message }) => assert.match(message, /^Git failed in /));
    await rm(inGit('packed-refs'));
    await writeFile(inGit('HEAD'), 'ref: refs/heads/--output=left\n');
    await writeFile(inGit('refs/heads/--output=left'), `${hash}\n`);
    assert.deepEqual(await subjects(), ['One [fixes #1]']);
    assert.deepEqual((await history.commits(repository.root, { limit: 5 })).length, 1);
    assert.ok(!(await readdir(repository.root)).includes('left'));
  });

  it('has a broken branch: commits on the others are found', async () => {
    await writeFile(inGit('refs/heads/broken'), `${'1'.repeat(40)}\n`);
    await writeFile(inGit('refs/heads/garbage'), 'garbage\n');
    assert.deepEqual(await subjects(), ['One [fixes #1]']);
  });

  it('puts other commits in the place of those that are: what is told is what they say', async () => {
    const other = (await repository.git('commit-tree', '-m', 'Other [fixes #666]', `${hash}^{tree}`)).trim();
    await repository.git('replace', hash, other);
    assert.equal((await repository.git('log', '-1', '--format=%s')).trim(), 'Other [fixes #666]');
    assert.deepEqual(await subjects(), ['One [fixes #1]']);
    assert.deepEqual((await history.commitsNamed(repository.root, [hash]))[0]?.message, 'One [fixes #1]');
  });

  it('goes round in circles', async () => {
    const second = await repository.commit('Two [fixes #2]');
    await mkdir(inGit('info'), { recursive: true });
    await writeFile(inGit('info/grafts'), `${hash} ${second}\n${second} ${hash}\n`);
    await find();
    await history.commits(repository.root, { limit: 5 });
  });

  it('has files of hostile names, and messages that would colour a terminal or end a record', async () => {
    const message = 'Three [fixes #3]\n\n\u001b]0;title\u0007 commit 0000 \u0085 "; id';
    await repository.commit(message, '--output=left\n;id');
    assert.deepEqual(await subjects(), ['One [fixes #1]', message.replace('\u0085 "; id', '\u0085 "; id')]);
    assert.deepEqual((await readdir(repository.root)).toSorted().at(-1), 'file.txt');
  });

  it('has remotes whose addresses are no web pages', async () => {
    for (const url of [
      'javascript:alert(1)//github.com/a/b',
      'https://github.com/a/b\nhttps://evil.example',
      'https://github.com/a/b\u001b[31m',
      'https://github.com@evil.example/a/b',
      'https://github.com/a/b"><script>',
      'ext::sh -c program',
      '--upload-pack=program',
      'data:text/html,x',
      'command:workbench.action.terminal.new',
      'vscode://file/etc/passwd',
      '\\\\evil.example\\share\\a',
      'https://github.com/../../a/b',
    ]) {
      await repository.git('config', 'remote.origin.url', url);
      const page = await history.commitUrl(repository.root, hash);
      assert.match(page ?? 'https://github.com/', /^https:\/\/github\.com\/[\w.~%/-]*$/, url);
    }
    await repository.git('config', 'remote.origin.url', 'https://github.com/a/b');
    await repository.git('config', 'url.javascript:alert(1)//.insteadOf', 'https://');
    assert.equal(await history.commitUrl(repository.root, hash), undefined);
  });

  it('is on the PATH by a relative folder: Git is not taken from the repository', async () => {
    await cp(program, join(repository.root, 'git'));
    await mkdir(join(repository.root, 'node_modules/.bin'), { recursive: true });
    await cp(program, join(repository.root, 'node_modules/.bin/git'));
    const path = process.env.PATH ?? '';
    process.env.PATH = `.::./node_modules/.bin:node_modules/.bin:${path}`;
    try {
      assert.deepEqual(await subjects(), ['One [fixes #1]']);
      const teller = join(aside, 'teller');
      await writeFile(teller, `#!/bin/sh\nprintf %s "$PATH" >'${join(aside, 'path')}'\n`, { mode: 0o755 });
      useGit(teller);
      await safeGit(repository.root).raw(['version']);
      assert.equal(await readFile(join(aside, 'path'), 'utf8'), path);
    } finally {
      useGit('git');
      process.env.PATH = path;
    }
    await assertNothingRan();
  });
});
