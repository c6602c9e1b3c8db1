import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCancelled } from '../../../src/core/errors.ts';
import { MAX_TEXT } from '../../../src/core/limits.ts';
import { storyEffects } from '../../../src/core/marker/markerSyntax.ts';
import { createHistory } from '../../../src/git/history.ts';
import { type GitRepositoryFolder, gitRepository } from '../../support/git/gitRepository.ts';
import { assertGivesWay } from '../../support/measures/longestHold.ts';

const history = createHistory();
const whole =
  'Sort by rank [fixes #12]\n\nA body, with "quotes", a tab\tand ünïcödé ☃.\n\n# not a comment\n\nRefs: #34';

describe('history of a repository', () => {
  let repository: GitRepositoryFolder;
  beforeEach(async () => {
    repository = await gitRepository();
  });
  afterEach(() => repository.remove());

  it('tells the newest first, with whole messages', async () => {
    const first = await repository.commit('First');
    const second = await repository.commit(whole);
    const commits = await history.commits(repository.root, { limit: 10 });
    assert.deepEqual(
      commits.map(({ hash, message, authorName, authorEmail }) => ({ hash, message, authorName, authorEmail })),
      [
        { hash: second, message: whole, authorName: 'Ada Lovelace', authorEmail: 'ada@example.org' },
        { hash: first, message: 'First', authorName: 'Ada Lovelace', authorEmail: 'ada@example.org' },
      ],
    );
    const at = Number(await repository.git('show', '-s', '--format=%at', first)) * 1000;
    assert.equal(commits[1]?.authoredAt, at);
  });

  it('tells a page of it', async () => {
    await repository.commit('one');
    await repository.commit('two');
    await repository.commit('three');
    const page = await history.commits(repository.root, { limit: 1, skip: 1 });
    assert.deepEqual(
      page.map(({ message }) => message),
      ['two'],
    );
  });

  it('tells as much of a message of megabytes as a comment takes, and of every kind of them in no time', async () => {
    const units = { digits: '#7', 'combining marks': '\u0301', separators: ',', brackets: '[#1 ', 'white space': ' x' };
    for (const unit of Object.values(units)) {
      const file = join(repository.root, 'message.txt');
      await writeFile(file, `Trim [fixes #12] ${unit.repeat(4_000_000 / unit.length)}`);
      await repository.git('commit', '--quiet', '--allow-empty', '--cleanup=verbatim', '-F', file);
    }
    const commits = await history.commits(repository.root, { limit: 10 });
    assert.equal(commits.length, 5);
    for (const { message } of commits) {
      assert.ok(message.startsWith('Trim [fixes #12]') && message.length <= MAX_TEXT, String(message.length));
      assert.deepEqual([...storyEffects(message.slice(0, 17)).keys()], [12]);
      await assertGivesWay(async () => storyEffects(message), message.slice(0, 40));
    }
  }).timeout(60_000);

  it('tells nothing of a repository without commits', async () => {
    assert.deepEqual(await history.commits(repository.root, { limit: 5 }), []);
  });

  it('does not mistake a file named HEAD for a commit', async () => {
    await repository.commit('named', 'HEAD');
    assert.equal((await history.commits(repository.root, { limit: 5 })).length, 1);
  });

  it('finds named commits in the order given', async () => {
    const first = await repository.commit('one');
    const second = await repository.commit('two');
    await repository.git('tag', '-a', 'v1.0', '-m', 'one', first);
    const found = await history.commitsNamed(repository.root, [first, 'HEAD']);
    assert.deepEqual(
      found.map(({ hash }) => hash),
      [first, second],
    );
    assert.deepEqual(
      (await history.commitsNamed(repository.root, ['v1.0', second.slice(0, 8)])).map(({ hash }) => hash),
      [first, second],
    );
  });

  it('names the commit that is not there', async () => {
    await repository.commit('one');
    await assert.rejects(history.commitsNamed(repository.root, ['HEAD', 'deadbeef']), /no commit deadbeef/);
  });

  for (const revision of [
    '--output=/tmp/stolen',
    '-1',
    'HEAD..HEAD',
    '^HEAD',
    'HEAD:file.txt',
    ':/one',
    'a\nb',
    '',
    '@{-1}',
  ]) {
    it(`takes ${JSON.stringify(revision)} for no commit`, async () => {
      await repository.commit('one');
      await assert.rejects(history.commitsNamed(repository.root, [revision]), /is not a commit/);
    });
  }

  it('finds the page of a commit at the remote', async () => {
    const hash = await repository.commit('one');
    await repository.git('remote', 'add', 'backup', '/srv/backup.git');
    await repository.git('remote', 'add', 'upstream', 'https://gitlab.com/team/app.git');
    assert.equal(await history.commitUrl(repository.root, hash), `https://gitlab.com/team/app/-/commit/${hash}`);
    await repository.git('remote', 'add', 'origin', 'git@github.com:me/app.git');
    assert.equal(await history.commitUrl(repository.root, hash), `https://github.com/me/app/commit/${hash}`);
  });

  it('follows shortened addresses that the person has configured', async () => {
    const hash = await repository.commit('one');
    await repository.git('config', 'url.https://github.com/.insteadOf', 'gh:');
    await repository.git('remote', 'add', 'origin', 'gh:me/app');
    assert.equal(await history.commitUrl(repository.root, hash), `https://github.com/me/app/commit/${hash}`);
  });

  it('takes the remote that the branch is pushed to', async () => {
    const hash = await repository.commit('One');
    const page = async () => (await history.commitUrl(repository.root, hash))?.replace(`/commit/${hash}`, '');
    const { git } = repository;
    await git('remote', 'add', 'origin', 'https://github.com/team/app.git');
    await git('remote', 'add', 'mine', 'git@github.com:me/app.git');
    await git('remote', 'add', 'a.b-c', 'git@github.com:other/app.git');
    await git('config', 'branch.main.remote', 'a.b-c');
    assert.equal(await page(), 'https://github.com/other/app');
    await git('config', 'remote.pushDefault', 'mine');
    assert.equal(await page(), 'https://github.com/me/app');
    await git('config', 'branch.main.pushRemote', 'origin');
    assert.equal(await page(), 'https://github.com/team/app');
    for (const nowhere of ['.', 'gone', '--all', 'https://github.com/evil/app']) {
      await git('config', 'branch.main.pushRemote', nowhere);
      assert.equal(await page(), 'https://github.com/team/app', nowhere);
    }
    await git('checkout', '--quiet', '--detach');
    assert.equal(await page(), 'https://github.com/me/app');
  });

  it('knows no page without a remote', async () => {
    const hash = await repository.commit('one');
    assert.equal(await history.commitUrl(repository.root, hash), undefined);
    assert.equal(await history.commitUrl(repository.root, '--all'), undefined);
  });

  it('says when there is no repository', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'story-tracker-none-'));
    await assert.rejects(history.commits(folder, { limit: 1 }), /There is no Git repository in /);
    await rm(folder, { recursive: true });
    await assert.rejects(history.commits(folder, { limit: 1 }), /There is no Git repository in /);
  });

  it('says when Git is missing', async () => {
    const path = process.env.PATH;
    process.env.PATH = '/nowhere';
    try {
      await assert.rejects(history.commits(repository.root, { limit: 1 }), /Git was not found on this machine/);
    } finally {
      process.env.PATH = path;
    }
  });

  it('stops when cancelled', async () => {
    await repository.commit('one');
    const controller = new AbortController();
    const asked = history.commits(repository.root, { limit: 1 }, { signal: controller.signal });
    controller.abort();
    await assert.rejects(asked, isCancelled);
    await assert.rejects(history.commits(repository.root, { limit: 1 }, { signal: controller.signal }), isCancelled);
  });
});
