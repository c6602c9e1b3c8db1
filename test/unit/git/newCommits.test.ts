import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewCommit } from '../../../src/core/ports/git.ts';
import { GitCommitFinder } from '../../../src/git/newCommits.ts';
import { ReplicaFile } from '../../../src/sync/file/replicaFile.ts';
import { type GitRepositoryFolder, gitRepository } from '../../support/git/gitRepository.ts';
import { foundCommitsIn } from '../../support/replica/foundCommits.ts';
import { silentLog } from '../../support/silentLog.ts';

describe('New commits of a repository', function () {
  this.timeout(20_000);
  let repository: GitRepositoryFolder;
  let folder: string;
  let file: ReplicaFile;
  let running: number[];
  let finder: GitCommitFinder;

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'story-tracker-found-')));
    file = new ReplicaFile({ path: join(folder, 'replica.sqlite'), log: silentLog });
    running = [1];
    finder = finderOf(1);
    repository = await gitRepository();
    await repository.git('config', 'user.email', 'Ada@example.org');
    await repository.commit('History [#1]');
    backdate(repository.root);
  });
  afterEach(async () => {
    file.close();
    await repository.remove();
    await rm(folder, { recursive: true, force: true });
  });

  function finderOf(process: number): GitCommitFinder {
    const isRunning = (one: number) => running.includes(one);
    return new GitCommitFinder(foundCommitsIn(file, { process, isRunning }));
  }

  /** As if HEAD had been committed long before anyone looked. */
  function backdate(root: string): void {
    const date = { GIT_COMMITTER_DATE: '2001-01-01T00:00:00Z' };
    const committer = { GIT_COMMITTER_NAME: 'Ada Lovelace', GIT_COMMITTER_EMAIL: 'ada@example.org' };
    execFileSync('git', ['commit', '--quiet', '--amend', '--no-edit', '--allow-empty'], {
      cwd: root,
      env: { ...process.env, ...committer, ...date },
    });
  }

  const find = async (root = repository.root, emails: readonly string[] = []) =>
    (await finder.find(root, { emails })).commits;
  const findFresh = async (root = repository.root) => {
    const { repository: name, commits } = await finder.find(root, { emails: [] });
    await finder.settle(
      name,
      commits.map(({ hash }) => hash),
    );
    return commits;
  };
  const subjects = (commits: readonly NewCommit[]) => commits.map(({ message }) => message.split('\n', 1)[0]);

  it('finds no history on first use, then each commit with a marker, oldest first', async () => {
    assert.deepEqual(await findFresh(), []);
    await repository.commit('One [#1]');
    await repository.commit('No marker');
    const hash = await repository.commit('Two\n\n[fixes #2]');
    assert.deepEqual(subjects(await findFresh()), ['One [#1]', 'Two']);
    assert.deepEqual(await findFresh(), []);
    assert.equal((await repository.git('rev-parse', 'HEAD')).trim(), hash);
  });

  it('finds again what nobody has decided about, for the same window and for the next, not for another', async () => {
    await find();
    await repository.commit('One [#1]');
    assert.deepEqual(subjects(await find()), ['One [#1]']);
    assert.deepEqual(subjects(await find()), ['One [#1]']);
    running.push(2);
    const mine = finder;
    finder = finderOf(2);
    assert.deepEqual(await find(), []);
    running = [2];
    assert.deepEqual(subjects(await findFresh()), ['One [#1]']);
    finder = mine;
    assert.deepEqual(await find(), []);
  });

  it('tells of an amended commit which one it is a new version of', async () => {
    await findFresh();
    const before = await repository.commit('One [#1]');
    await findFresh();
    await repository.git('commit', '--quiet', '--amend', '-m', 'One, better [#1]');
    const [commit, ...others] = await findFresh();
    assert.deepEqual([commit?.message, commit?.versionOf, others], ['One, better [#1]', before, []]);
  });

  it('finds the three commits of a rebase once it has ended', async () => {
    await repository.git('branch', 'upstream');
    await findFresh();
    const before = [];
    for (const one of ['A [#1]', 'B [#2]', 'C [#3]']) before.push(await repository.commit(one, `${one[0]}.txt`));
    await findFresh();
    await repository.git('checkout', '--quiet', 'upstream');
    await repository.commit('Theirs', 'theirs.txt');
    await repository.git('checkout', '--quiet', 'main');
    assert.deepEqual(await findFresh(), []);
    await assert.rejects(repository.git('rebase', '--quiet', '--exec', 'test -e go-on', 'upstream'));
    assert.deepEqual(await finder.find(repository.root, { emails: [] }).then(({ isUnsettled }) => isUnsettled), true);
    execFileSync('touch', [join(repository.root, 'go-on')]);
    await repository.git('rebase', '--continue');
    const commits = await findFresh();
    assert.deepEqual(subjects(commits), ['A [#1]', 'B [#2]', 'C [#3]']);
    assert.deepEqual(
      commits.map(({ versionOf }) => versionOf),
      before,
    );
  });

  it("finds one's own among what is pulled, and nobody else's", async () => {
    await findFresh();
    const author = (email: string) => ['--author', `Somebody <${email}>`, '--allow-empty', '--quiet'];
    await repository.git('checkout', '--quiet', '--detach');
    await repository.git('commit', ...author('grace@example.org'), '-m', 'Theirs [#1]');
    await repository.git('commit', ...author('ADA@example.org'), '-m', 'Mine, elsewhere [#2]');
    await repository.git('branch', 'remote');
    await repository.git('checkout', '--quiet', 'main');
    await repository.git('branch', '-D', 'remote');
    await repository.git('merge', '--quiet', '--ff-only', '@{-1}');
    assert.deepEqual(subjects(await findFresh()), ['Mine, elsewhere [#2]']);
    await repository.git('commit', ...author('agent@example.org'), '-m', 'Of my agent [#3]');
    assert.deepEqual(subjects(await find(repository.root, [' Agent@example.org '])), ['Of my agent [#3]']);
  });

  it('finds a commit on a branch that was left at once, and takes no old branch for news', async () => {
    await repository.git('branch', 'old');
    await findFresh();
    await repository.git('checkout', '--quiet', '-b', 'feature');
    await repository.commit('Left [#1]');
    await repository.git('checkout', '--quiet', 'old');
    assert.deepEqual(subjects(await findFresh()), ['Left [#1]']);
    await repository.git('checkout', '--quiet', 'feature');
    assert.deepEqual(await findFresh(), []);
  });

  it('takes no commit for news that was made before the first look, on whatever branch it comes later', async () => {
    const other = await gitRepository();
    try {
      await other.git('commit', '--quiet', '--allow-empty', '-m', 'Long ago [#4]');
      backdate(other.root);
      await findFresh();
      await repository.git('fetch', '--quiet', other.root, 'main:theirs');
      await repository.git('checkout', '--quiet', 'theirs');
      assert.deepEqual(await findFresh(), []);
    } finally {
      await other.remove();
    }
  });

  it('finds commits of a detached HEAD, and of a worktree once for both', async () => {
    await findFresh();
    await repository.git('checkout', '--quiet', '--detach');
    await repository.commit('Detached [#1]');
    assert.deepEqual(subjects(await findFresh()), ['Detached [#1]']);
    const tree = join(folder, 'a tree');
    await repository.git('worktree', 'add', '--quiet', '-b', 'side', tree);
    await repository.git('-C', tree, 'commit', '--quiet', '--allow-empty', '-m', 'Beside [#2]');
    assert.deepEqual(subjects(await findFresh(tree)), ['Beside [#2]']);
    assert.deepEqual(await findFresh(), []);
  });

  it('works in a shallow clone, in one without commits, and says so where there is none', async () => {
    await repository.commit('Two [#1]');
    const clone = join(folder, 'clone');
    await repository.git('clone', '--quiet', '--depth=1', `file://${repository.root}`, clone);
    await repository.git('-C', clone, 'config', 'user.email', 'ada@example.org');
    assert.deepEqual(await findFresh(clone), []);
    await repository.git('-C', clone, 'commit', '--quiet', '--allow-empty', '-m', 'On top [#1]');
    assert.deepEqual(subjects(await findFresh(clone)), ['On top [#1]']);
    const empty = join(folder, 'empty');
    await repository.git('init', '--quiet', empty);
    await repository.git('-C', empty, 'config', 'user.email', 'ada@example.org');
    assert.deepEqual(await findFresh(empty), []);
    await repository.git('-C', empty, 'commit', '--quiet', '--allow-empty', '-m', 'First [#1]');
    assert.deepEqual(subjects(await findFresh(empty)), ['First [#1]']);
    await assert.rejects(find(folder), /There is no Git repository in/);
  });

  it('goes on where what it saw last is gone from the repository', async () => {
    await findFresh();
    await repository.commit('Gone [#1]');
    await findFresh();
    await repository.git('reset', '--quiet', '--hard', 'HEAD~1');
    await repository.git('reflog', 'expire', '--expire=now', '--all');
    await repository.git('gc', '--quiet', '--prune=now');
    await repository.commit('Next [#2]');
    assert.deepEqual(subjects(await findFresh()), ['Next [#2]']);
  });

  describe('asks Git', () => {
    let calls: (work: () => Promise<unknown>) => Promise<number>;

    beforeEach(async () => {
      const shims = join(folder, 'shims');
      const log = join(folder, 'calls');
      const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
      await mkdir(shims);
      await writeFile(join(shims, 'git'), `#!/bin/sh\necho call >> '${log}'\nexec '${real}' "$@"\n`, { mode: 0o755 });
      calls = async (work) => {
        const path = process.env.PATH;
        await writeFile(log, '');
        process.env.PATH = `${shims}:${path}`;
        try {
          await work();
        } finally {
          process.env.PATH = path;
        }
        return (await readFile(log, 'utf8')).split('\n').length - 1;
      };
    });

    it('the same few questions of 10,000 commits as of one', async () => {
      const first = await calls(findFresh);
      await repository.commit('One [#1]');
      const one = await calls(findFresh);
      execFileSync('git', ['fast-import', '--quiet', '--force'], { cwd: repository.root, input: stream(10_000) });
      assert.deepEqual([first, await calls(findFresh), await calls(findFresh)], [2, one, 2]);
      assert.equal(one, 4);
    }).timeout(60_000);

    it('the same few questions of 3,000 branches as of one, and takes none of them for new', async () => {
      execFileSync('git', ['fast-import', '--quiet', '--force'], { cwd: repository.root, input: stream(3000) });
      const hashes = (await repository.git('rev-list', 'long')).trim().split('\n');
      const refs = hashes.map((hash, index) => `${hash} refs/heads/b${index}\n`);
      await writeFile(join(repository.root, '.git/packed-refs'), refs.join(''));
      assert.deepEqual([await calls(findFresh), await calls(findFresh)], [2, 2]);
      await repository.commit('One [#1]');
      assert.deepEqual(subjects(await findFresh()), ['One [#1]']);
      assert.equal(await calls(findFresh), 2);
    });

    it('the same few questions while 3,000 commits are undecided as while one is', async () => {
      await findFresh();
      execFileSync('git', ['fast-import', '--quiet', '--force'], {
        cwd: repository.root,
        input: stream(3000)
          .replaceAll('Commit ', 'a [#1] ')
          .replaceAll(/> \d+ /g, '> 4000000000 '),
      });
      assert.equal((await find()).length, 3000);
      assert.equal(await calls(() => find()), 3);
    });

    it('twice at most for all that happens at once, and never unless it is asked itself', async () => {
      await findFresh();
      await repository.commit('One [#1]');
      const asked = () => Promise.all(Array.from({ length: 50 }, () => find()));
      let found: readonly (readonly NewCommit[])[] = [];
      const count = await calls(async () => {
        found = await asked();
      });
      assert.ok(count <= 8, `${count} runs of Git`);
      assert.ok(found.every((commits) => commits.length === 1));
      assert.equal(await calls(() => new Promise((resolve) => setTimeout(resolve, 1500))), 0);
    });
  });
});

/** So many commits on a branch of their own, of which the last has a marker. */
function stream(count: number): string {
  const now = Math.floor(Date.now() / 1000);
  const commits = Array.from({ length: count }, (_, index) => {
    const message = index === count - 1 ? 'Last [#1]' : `Commit ${index}`;
    const who = `committer Ada <ada@example.org> ${now - count + index} +0000`;
    return `commit refs/heads/long\n${who}\ndata ${message.length}\n${message}\n`;
  });
  return `${commits.join('\n')}\n`;
}
