import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBranchFacts } from '../../../src/git/branchFacts.ts';
import { type GitRepositoryFolder, gitIn, gitRepository } from '../../support/git/gitRepository.ts';

const facts = createBranchFacts();

describe('branches of a repository', () => {
  let repository: GitRepositoryFolder;
  let remote: GitRepositoryFolder;
  let first: string;

  beforeEach(async () => {
    repository = await gitRepository();
    first = await repository.commit('First');
    remote = await gitIn(await realpath(await mkdtemp(join(tmpdir(), 'story-tracker-remote-'))));
    await remote.git('init', '--quiet', '--bare', '--initial-branch=main');
  });
  afterEach(async () => {
    await repository.remove();
    await remote.remove();
  });

  async function addRemote(name: string, ...branches: readonly string[]): Promise<void> {
    await repository.git('remote', 'add', name, remote.root);
    for (const branch of branches) await repository.git('push', '--quiet', name, `HEAD:refs/heads/${branch}`);
    await repository.git('fetch', '--quiet', name);
  }

  it('begin at the one that the remote names, else at the usual one that it has', async () => {
    await addRemote('origin', 'develop', 'trunk');
    assert.deepEqual(await facts.remotes(repository.root), [{ name: 'origin', defaultBranch: 'trunk' }]);
    await repository.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/develop');
    assert.deepEqual(await facts.remotes(repository.root), [{ name: 'origin', defaultBranch: 'develop' }]);
  });

  it('begin at none that the remote once named and no longer has, nor at one of no usual name', async () => {
    await addRemote('origin', 'next');
    await repository.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/gone');
    assert.deepEqual(await facts.remotes(repository.root), [{ name: 'origin' }]);
  });

  it('have the remote first that the branch is pushed to, and none where there is none', async () => {
    assert.deepEqual(await facts.remotes(repository.root), []);
    await addRemote('origin', 'main');
    await addRemote('fork', 'main');
    await repository.git('config', 'branch.main.remote', 'fork');
    assert.deepEqual(
      (await facts.remotes(repository.root)).map(({ name }) => name),
      ['fork', 'origin'],
    );
  });

  it('are of a repository', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'story-tracker-none-'));
    await assert.rejects(facts.remotes(folder), /There is no Git repository in/);
    await rm(folder, { recursive: true });
  });

  it('have a tip, by their full names only and by no expression', async () => {
    await repository.git('branch', 'old');
    const second = await repository.commit('Second');
    assert.equal(await facts.tip(repository.root, 'refs/heads/old'), first);
    assert.equal(await facts.tip(repository.root, 'refs/heads/main'), second);
    assert.equal(await facts.tip(repository.root, second), second);
    const none = ['refs/heads/none', 'refs/heads/main~1', 'main@{0}', ':/Second', '--all', '', 'refs/heads/main^{/F}'];
    for (const name of none) {
      assert.equal(await facts.tip(repository.root, name), undefined, name);
    }
  });

  it('have commits of their own, the oldest first, without those that were merged into them', async () => {
    await repository.git('checkout', '--quiet', '-b', 'mine');
    const second = await repository.commit('Second', 'mine.txt');
    await repository.git('checkout', '--quiet', '-b', 'theirs', 'main');
    await repository.commit('Theirs', 'theirs.txt');
    await repository.git('checkout', '--quiet', 'mine');
    await repository.git('merge', '--quiet', '--no-ff', '-m', 'Merge theirs', 'theirs');
    const third = await repository.commit('Third', 'mine.txt');
    assert.deepEqual(await facts.ownCommits(repository.root, 'refs/heads/mine', 'refs/heads/main'), [second, third]);
    assert.deepEqual(await facts.ownCommits(repository.root, 'refs/heads/main', 'refs/heads/mine'), []);
    assert.deepEqual(await facts.ownCommits(repository.root, 'refs/heads/none', 'refs/heads/main'), []);
    assert.equal((await facts.ownCommits(repository.root, 'refs/heads/mine', 'refs/heads/none')).length, 3);
  });

  it('are merged where another has all that they have', async () => {
    await repository.git('branch', 'mine');
    const isMerged = (...into: readonly string[]) => facts.isMerged(repository.root, 'refs/heads/mine', into);
    assert.equal(await isMerged('refs/heads/main'), true);
    await repository.git('checkout', '--quiet', 'mine');
    await repository.commit('Mine', 'mine.txt');
    assert.equal(await isMerged('refs/heads/main'), false);
    assert.equal(await isMerged('refs/heads/main', 'refs/heads/none'), false);
    assert.equal(await isMerged(), false);
    await repository.git('branch', 'other');
    assert.equal(await isMerged('refs/heads/main', 'refs/heads/other'), true);
    assert.equal(await facts.isMerged(repository.root, 'refs/heads/none', ['refs/heads/main']), false);
  });

  it('leave stashes that are found where they are in the list', async () => {
    assert.equal(await facts.stashIndex(repository.root, first), undefined);
    const stash = async (text: string) => {
      await writeFile(join(repository.root, 'file.txt'), text);
      await repository.git('stash', 'push', '--quiet');
      return (await repository.git('rev-parse', 'refs/stash')).trim();
    };
    const [one, two] = [await stash('one'), await stash('two')];
    assert.deepEqual(
      [await facts.stashIndex(repository.root, one), await facts.stashIndex(repository.root, two)],
      [1, 0],
    );
    await repository.git('stash', 'drop', '--quiet', 'stash@{1}');
    assert.equal(await facts.stashIndex(repository.root, one), undefined);
  });

  it('have a page for a pull request where the host of the remote is known', async () => {
    const page = () => facts.pullRequestUrl(repository.root, 'origin', 'mine', 'main');
    assert.equal(await page(), undefined);
    await addRemote('origin');
    assert.equal(await page(), undefined);
    await repository.git('remote', 'set-url', 'origin', 'git@github.com:team/app.git');
    assert.equal(await page(), 'https://github.com/team/app/compare/main...mine?expand=1');
  });
});
