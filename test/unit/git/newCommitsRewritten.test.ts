import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, realpath, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { GitCommitFinder } from '../../../src/git/newCommits.ts';
import { ReplicaFile } from '../../../src/sync/file/replicaFile.ts';
import { type GitRepositoryFolder, gitIn } from '../../support/git/gitRepository.ts';
import { foundCommitsIn } from '../../support/replica/foundCommits.ts';
import { silentLog } from '../../support/silentLog.ts';

const run = promisify(execFile);
const longAgo = '2001-01-01T00:00:00Z';

describe('New commits after what people do with Git', function () {
  this.timeout(30_000);
  let folder: string;
  let file: ReplicaFile;
  let finder: GitCommitFinder;
  let repository: GitRepositoryFolder;

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'story-tracker-rewritten-')));
    file = new ReplicaFile({ path: join(folder, 'replica.sqlite'), log: silentLog });
    const memory = foundCommitsIn(file);
    finder = new GitCommitFinder(memory);
    repository = await made('work');
    await dated(repository.root, longAgo, 'commit', '--allow-empty', '-m', 'Long ago [#1]');
  });
  afterEach(async () => {
    file.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function made(name: string): Promise<GitRepositoryFolder> {
    const one = await gitIn(join(folder, name));
    await one.git('init', '--quiet', '--initial-branch=main');
    await one.git('config', 'user.email', 'ada@example.org');
    await one.git('config', 'user.name', 'Ada Lovelace');
    return one;
  }

  /** Git with both clocks set back, `GIT_SEQUENCE_EDITOR` taking every list of steps as it is. */
  async function dated(root: string, date: string | undefined, ...args: readonly string[]): Promise<void> {
    const dates = date === undefined ? {} : { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    const config = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_SEQUENCE_EDITOR: ':' };
    await run('git', args, { cwd: root, env: { ...process.env, ...config, ...dates, GIT_EDITOR: ':' } });
  }

  /** The subjects of what is found, which is decided about. */
  async function found(root = repository.root): Promise<readonly string[]> {
    const { repository: name, commits } = await finder.find(root, { emails: [] });
    const hashes = commits.map(({ hash }) => hash);
    await finder.settle(name, hashes);
    return commits.map(({ message }) => message.split('\n', 1)[0] ?? '');
  }

  const undecided = async () =>
    (await finder.find(repository.root, { emails: [] })).commits.map(({ message }) => message.split('\n', 1)[0]);

  type Steps = (git: GitRepositoryFolder['git']) => Promise<unknown>;
  const empty = ['commit', '--quiet', '--allow-empty', '-m'] as const;

  /** After `One [#1]` was found and decided about: what is done then, and what is found of it. */
  const cases: Readonly<Record<string, readonly [Steps, readonly string[]]>> = {
    'a branch is deleted and made anew': [
      async (git) => {
        await git('checkout', '--quiet', '-b', 'other', 'HEAD~1');
        await git('branch', '-D', 'main');
        await found();
        await git('checkout', '--quiet', '-b', 'main', 'ORIG_TIP');
      },
      [],
    ],
    'a branch is set back and forth': [
      async (git) => {
        await git('reset', '--quiet', '--hard', 'HEAD~1');
        assert.deepEqual(await found(), []);
        await git('reset', '--quiet', '--hard', 'ORIG_HEAD');
      },
      [],
    ],
    'a commit is picked': [
      async (git) => {
        await git('checkout', '--quiet', '-b', 'release', 'HEAD~1');
        await git(...empty, 'Release');
        await git('cherry-pick', '--allow-empty', 'main');
      },
      ['One [#1]'],
    ],
    'changes are stashed': [
      async (git) => {
        await writeFile(join(repository.root, 'file.txt'), 'changed');
        await git('stash', 'push', '--message', 'Later [#2]');
      },
      [],
    ],
    'a commit is merged': [
      async (git) => {
        await git('checkout', '--quiet', '-b', 'feature', 'HEAD~1');
        await git(...empty, 'Beside [#2]');
        await git('checkout', '--quiet', 'main');
        await git('merge', '--quiet', '--no-ff', '-m', 'Merge [#3]', 'feature');
      },
      ['Beside [#2]', 'Merge [#3]'],
    ],
    'a branch is squashed into one commit and deleted': [
      async (git) => {
        await git('checkout', '--quiet', '-b', 'feature');
        await writeFile(join(repository.root, 'new.txt'), 'new');
        await git('add', '.');
        await git('commit', '--quiet', '-m', 'Draft [#2]');
        await git('checkout', '--quiet', 'main');
        await git('merge', '--quiet', '--squash', 'feature');
        await git('commit', '--quiet', '-m', 'Whole [#2]');
        await git('branch', '-D', 'feature');
      },
      ['Whole [#2]'],
    ],
    'a commit is only there until it is worked into another': [
      async (git) => {
        for (const kind of ['--fixup=HEAD', '--squash=HEAD']) await git(...empty.slice(0, 3), '--no-edit', kind);
        await git(...empty, 'amend! One [#1]\n\nOne, better [#1]');
      },
      [],
    ],
    'commits are worked into others': [
      async (git) => {
        await writeFile(join(repository.root, 'file.txt'), 'better');
        await git('commit', '--quiet', '--all', '--fixup=HEAD');
        assert.deepEqual(await found(), []);
        await dated(repository.root, undefined, 'rebase', '--quiet', '-i', '--autosquash', 'HEAD~2');
      },
      ['One [#1]'],
    ],
    'a commit is taken back': [async (git) => git('revert', '--no-edit', 'HEAD'), ['Revert "One [#1]"']],
    'a bug is looked for by halves': [
      async (git) => {
        await git('bisect', 'start', 'HEAD', 'HEAD~1');
        assert.deepEqual(await found(), []);
        await git('bisect', 'reset');
      },
      [],
    ],
    'a patch is taken': [
      async (git) => {
        await writeFile(join(repository.root, 'new.txt'), 'new');
        await git('add', '.');
        await git('commit', '--quiet', '-m', 'Patched [#2]');
        const patch = join(folder, 'one.patch');
        await writeFile(patch, await git('format-patch', '--stdout', '-1'));
        await git('reset', '--quiet', '--hard', 'HEAD~1');
        await git('am', '--quiet', '--keep-non-patch', '--committer-date-is-author-date', patch);
      },
      ['Patched [#2]'],
    ],
    'both dates are set back by years': [
      async () => dated(repository.root, longAgo, ...empty, 'Of yore [#2]'),
      ['Of yore [#2]'],
    ],
    'a commit of today is below one whose dates are set back': [
      async (git) => {
        await git(...empty, 'Of today [#2]');
        await dated(repository.root, longAgo, ...empty, 'Of yore [#3]');
      },
      ['Of today [#2]', 'Of yore [#3]'],
    ],
    'a branch that was left at once has dates set back': [
      async (git) => {
        await git('checkout', '--quiet', '-b', 'feature');
        await dated(repository.root, longAgo, ...empty, 'Of yore [#2]');
        await git('checkout', '--quiet', 'main');
      },
      ['Of yore [#2]'],
    ],
    'a rebase keeps the dates': [
      async (git) => {
        await dated(repository.root, longAgo, ...empty, 'Of yore [#2]');
        assert.deepEqual(await found(), ['Of yore [#2]']);
        await git('checkout', '--quiet', '-b', 'upstream', 'HEAD~1');
        await git(...empty, 'Theirs');
        await git('checkout', '--quiet', 'main');
        await git('rebase', '--quiet', '--committer-date-is-author-date', 'upstream');
      },
      ['Of yore [#2]'],
    ],
    'a program is run after each commit of a rebase': [
      async (git) => {
        await git('checkout', '--quiet', '-b', 'upstream', 'HEAD~1');
        await git(...empty, 'Theirs');
        await git('checkout', '--quiet', 'main');
        await git('rebase', '--quiet', '--exec', 'git commit --quiet --amend --allow-empty --no-edit', 'upstream');
      },
      ['One [#1]'],
    ],
    'the branch begins anew without history': [
      async (git) => {
        await git('checkout', '--quiet', '--orphan', 'anew');
        assert.deepEqual(await found(), []);
        await git(...empty, 'Anew [#2]');
      },
      ['Anew [#2]'],
    ],
    '301 branches get a commit at once': [
      async () => {
        const message = (at: number) => `Of ${at} [#2]`;
        fastImport(repository.root, { count: 301, message, branch: (at) => `of/${at}` });
      },
      Array.from({ length: 301 }, (_, at) => `Of ${at} [#2]`).toSorted(),
    ],
  };

  for (const [name, [steps, expected]] of Object.entries(cases)) {
    it(`are ${expected.length > 3 ? 'all' : expected.join(' and ') || 'none'} when ${name}`, async () => {
      await found();
      await repository.commit('One [#1]');
      await repository.git('update-ref', 'refs/tags/ORIG_TIP', 'HEAD');
      assert.deepEqual(await found(), ['One [#1]']);
      await steps(repository.git);
      // Git tells siblings in an order of its own.
      const subjects = await found();
      assert.deepEqual(expected.length > 3 ? subjects.toSorted() : subjects, expected);
      assert.deepEqual(await found(), []);
    });
  }

  it('are none when a branch of old commits is fetched and brought up to date, or brought back from the reflog', async () => {
    const other = await made('other');
    await dated(other.root, longAgo, ...empty, 'Old, elsewhere [#4]');
    await dated(repository.root, longAgo, ...empty, 'Given up [#5]');
    const givenUp = (await repository.git('rev-parse', 'HEAD')).trim();
    await utimes(join(repository.root, '.git/objects', givenUp.slice(0, 2), givenUp.slice(2)), 1e9, 1e9);
    await repository.git('reset', '--quiet', '--hard', 'HEAD~1');
    await found();
    await repository.git('fetch', '--quiet', other.root, 'main:theirs');
    await repository.git('checkout', '--quiet', 'theirs');
    assert.deepEqual(await found(), []);
    await repository.git('reset', '--quiet', '--hard', givenUp);
    assert.deepEqual(await found(), []);
  });

  it('are all of 2,001 at once, and those behind thousands of a colleague', async () => {
    await found();
    fastImport(repository.root, { count: 2001, message: (at) => `Mine ${at} [#${at + 1}]` });
    assert.equal((await found()).length, 2001);
    await repository.git('checkout', '--quiet', 'long');
    await repository.git(...empty, 'Mine, behind [#1]');
    fastImport(repository.root, { count: 3000, message: (at) => `Theirs ${at} [#1]`, email: 'grace@example.org' });
    assert.deepEqual(await found(), ['Mine, behind [#1]']);
  });

  it('are none of a history that is rewritten with its dates, however long it is', async () => {
    fastImport(repository.root, { count: 500, message: (at) => `Mine ${at} [#1]`, date: 1_000_000_000 });
    await repository.git('checkout', '--quiet', 'long');
    await found();
    const filter = ['filter-branch', '--force', '--msg-filter', 'sed s/Mine/My/', 'HEAD~20..HEAD'];
    await run('git', filter, {
      cwd: repository.root,
      env: { ...process.env, FILTER_BRANCH_SQUELCH_WARNING: '1' },
    });
    assert.match(await repository.git('log', '-1', '--format=%s'), /^My /);
    assert.deepEqual(await found(), []);
  });

  it('go on where they were when the folder is renamed, and the undecided ones with them', async () => {
    await found();
    await repository.git(...empty, 'Undecided [#1]');
    await undecided();
    await repository.git(...empty, 'Unseen [#2]');
    await rename(repository.root, join(folder, 'renamed'));
    repository = await gitIn(join(folder, 'renamed'));
    assert.deepEqual(await found(), ['Undecided [#1]', 'Unseen [#2]']);
    const copy = join(folder, 'copy');
    await repository.git('clone', '--quiet', repository.root, copy);
    assert.deepEqual(await found(copy), []);
  });

  it('are no longer those that an amend has taken the place of before someone decided', async () => {
    await found();
    await repository.git(...empty, 'One [#1]');
    assert.deepEqual(await undecided(), ['One [#1]']);
    await repository.git('commit', '--quiet', '--amend', '--allow-empty', '-m', 'One, better [#1]');
    assert.deepEqual(await undecided(), ['One, better [#1]']);
    await repository.git('checkout', '--quiet', '-b', 'other', 'HEAD~1');
    assert.deepEqual(await undecided(), ['One, better [#1]']);
  });

  it('are those of a submodule and of a worktree, each where it was made', async () => {
    const library = await made('library');
    await library.git(...empty, 'Library');
    const add = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.root, 'library'];
    await repository.git(...add);
    const [inside, tree] = [join(repository.root, 'library'), join(folder, 'tree')];
    await repository.git('worktree', 'add', '--quiet', '-b', 'side', tree);
    for (const root of [repository.root, inside, tree]) await found(root);
    const whose = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
    await repository.git('-C', inside, 'config', 'user.email', 'ada@example.org');
    await repository.git('-C', inside, ...whose, ...empty, 'Inside [#1]');
    await dated(tree, longAgo, ...empty, 'In the worktree, of yore [#2]');
    assert.deepEqual(await found(inside), ['Inside [#1]']);
    assert.deepEqual(await found(tree), ['In the worktree, of yore [#2]']);
    assert.deepEqual(await found(), []);
  });
});

interface Imported {
  readonly count: number;
  readonly message: (at: number) => string;
  readonly email?: string;
  /** Seconds since the epoch. */
  readonly date?: number;
  /** One branch for all (`long`), or for each its own. */
  readonly branch?: (at: number) => string;
}

/** Makes commits by the thousand, those of a branch on top of each other and all on top of HEAD. */
function fastImport(root: string, { count, message, ...rest }: Imported): void {
  const { email = 'ada@example.org', date = Math.floor(Date.now() / 1000), branch = () => 'long' } = rest;
  const tip = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  const begun = new Set<string>();
  const commits = Array.from({ length: count }, (_, at) => {
    const text = message(at);
    const head = `commit refs/heads/${branch(at)}\ncommitter Somebody <${email}> ${date} +0000`;
    const parent = begun.has(branch(at)) ? '' : `from ${tip}\n`;
    begun.add(branch(at));
    return `${head}\ndata ${Buffer.byteLength(text)}\n${text}\n${parent}`;
  });
  execFileSync('git', ['fast-import', '--quiet', '--force'], { cwd: root, input: `${commits.join('\n')}\n` });
}
