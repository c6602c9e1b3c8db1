import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type BranchSwitch,
  SwitchError,
  type SwitchedRepository,
  switchBack,
  switchBranch,
} from '../../../../src/features/activeStory/switchBranch.ts';
import { createBranchFacts } from '../../../../src/git/branchFacts.ts';
import { gitOfVsCode } from '../../../support/git/gitOfVsCode.ts';
import { type GitRepositoryFolder, gitRepository } from '../../../support/git/gitRepository.ts';

const facts = createBranchFacts();

describe('Switching to the branch of a story', () => {
  let repository: GitRepositoryFolder;
  let git: SwitchedRepository;
  let first: string;
  let second: string;

  beforeEach(async () => {
    repository = await gitRepository();
    git = gitOfVsCode(repository);
    first = await repository.commit('one\ntwo\nthree\n');
    second = await repository.commit('one\ntwo\nfour\n');
  });
  afterEach(() => repository.remove());

  const wanted = (more: Partial<BranchSwitch> = {}): BranchSwitch => ({
    ...{ branch: 'feature/12', isNew: true, changes: 'carry', stashName: 'Before story #12' },
    ...more,
  });
  const go = (more?: Partial<BranchSwitch>) => switchBranch(git, facts, wanted(more));
  const told = async (...args: readonly string[]) => (await repository.git(...args)).trim();
  const current = () => told('branch', '--show-current');
  const write = (text: string, file = 'file.txt') => writeFile(join(repository.root, file), text);
  const read = (file = 'file.txt') => readFile(join(repository.root, file), 'utf8');

  async function hook(name: string, script: string): Promise<void> {
    await mkdir(join(repository.root, '.git/hooks'), { recursive: true });
    const file = join(repository.root, '.git/hooks', name);
    await writeFile(file, `#!/bin/sh\n${script}\n`);
    await chmod(file, 0o755);
  }

  async function failing(work: Promise<unknown>): Promise<SwitchError> {
    return work.then(
      () => assert.fail('It should have failed.'),
      (thrown) => (thrown instanceof SwitchError ? thrown : Promise.reject(thrown)),
    );
  }

  it('makes it at the commit that is named, following no other branch, and takes it back', async () => {
    const switched = await go({ start: first });
    assert.equal(await current(), 'feature/12');
    assert.equal(await told('rev-parse', 'HEAD'), first);
    await assert.rejects(repository.git('rev-parse', '--abbrev-ref', '@{upstream}'));
    assert.deepEqual(await switchBack(git, facts, switched), {});
    assert.equal(await current(), 'main');
    assert.equal(await told('branch', '--list', 'feature/12'), '');
  });

  it('makes it at what is checked out where no commit is named, before the first commit too', async () => {
    await go();
    assert.equal(await told('rev-parse', 'HEAD'), second);
    const empty = await gitRepository();
    try {
      await switchBranch(gitOfVsCode(empty), facts, wanted());
      assert.equal((await empty.git('branch', '--show-current')).trim(), 'feature/12');
    } finally {
      await empty.remove();
    }
  });

  it('takes the one that is there, and leaves it there when it goes back', async () => {
    await repository.git('branch', 'feature/12', first);
    const switched = await go({ start: second });
    assert.equal(await told('rev-parse', 'HEAD'), first);
    assert.deepEqual(await switchBack(git, facts, switched), {});
    assert.equal(await current(), 'main');
    assert.equal(await told('rev-parse', 'feature/12'), first);
  });

  it('carries along what is not committed, there and back', async () => {
    await write('one\ntwo\nfour\nfive\n');
    await write('new', 'new.txt');
    const switched = await go();
    assert.equal(await read(), 'one\ntwo\nfour\nfive\n');
    await switchBack(git, facts, switched);
    assert.equal(await current(), 'main');
    assert.equal(await read(), 'one\ntwo\nfour\nfive\n');
    assert.equal(await read('new.txt'), 'new');
  });

  it('changes nothing where what is not committed would be overwritten', async () => {
    await write('mine\n');
    const error = await failing(go({ start: first }));
    assert.equal(error.step, 'checkout');
    assert.equal(error.switched, undefined);
    assert.match(String(error.cause), /would be overwritten/);
    assert.equal(await current(), 'main');
    assert.equal(await read(), 'mine\n');
    assert.equal(await told('branch', '--list', 'feature/12'), '');
  });

  it('puts away what is not committed, new files too, and brings it back', async () => {
    await write('mine\n');
    await write('new', 'new.txt');
    const switched = await go({ start: first, changes: 'stash' });
    assert.equal(await read(), 'one\ntwo\nthree\n');
    await assert.rejects(read('new.txt'), /ENOENT/);
    assert.match(await told('stash', 'list'), /Before story #12/);
    assert.deepEqual(await switchBack(git, facts, switched), {});
    assert.equal(await read(), 'mine\n');
    assert.equal(await read('new.txt'), 'new');
    assert.equal(await told('stash', 'list'), '');
  });

  it('brings back its own stash, not one that was made since', async () => {
    await write('mine\n');
    const switched = await go({ changes: 'stash' });
    await write('later\n');
    await repository.git('stash', 'push', '-m', 'Later');
    await switchBack(git, facts, switched);
    assert.equal(await read(), 'mine\n');
    assert.match(await told('stash', 'list'), /^stash@\{0\}: On feature\/12: Later$/);
  });

  it('leaves a stash in the list that conflicts with what was changed since', async () => {
    await write('mine\n');
    const switched = await go({ changes: 'stash' });
    await write('other\n');
    assert.deepEqual(await switchBack(git, facts, switched), { stash: 'Before story #12' });
    assert.equal(await read(), 'other\n');
    assert.match(await told('stash', 'list'), /Before story #12/);
  });

  for (const [change, prepare] of [
    ['a commit', async () => void (await repository.commit('one\ntwo\nother\n'))],
    [
      'what is staged',
      async () => {
        await write('one\ntwo\nother\n');
        await repository.git('add', '.');
      },
    ],
    ['a new file of that name', () => write('theirs', 'new.txt')],
  ] as const) {
    it(`leaves a stash whole in the list, with no conflict left behind, where it does not fit ${change} since`, async () => {
      await write('one\ntwo\nmine\n');
      await write('new', 'new.txt');
      const switched = await go({ changes: 'stash' });
      await repository.git('checkout', '--quiet', 'main');
      await prepare();
      const before = [await read(), await told('status', '--porcelain')];
      assert.deepEqual(await switchBack(git, facts, switched), { stash: 'Before story #12' });
      assert.deepEqual([await read(), await told('status', '--porcelain')], before);
      assert.match(await told('stash', 'list'), /Before story #12/);
      assert.match(await told('stash', 'show', '--include-untracked', '--name-only'), /file\.txt\nnew\.txt/);
    });
  }

  it('is content where a person brought the stash back already', async () => {
    await write('mine\n');
    const switched = await go({ changes: 'stash' });
    await repository.git('stash', 'pop', '--quiet');
    assert.deepEqual(await switchBack(git, facts, switched), {});
    assert.equal(await read(), 'mine\n');
  });

  it('brings back what was put away where the branch cannot be checked out', async () => {
    await repository.git('branch', 'feature');
    await write('mine\n');
    const error = await failing(go({ changes: 'stash' }));
    assert.deepEqual([error.step, error.switched, error.keptStash], ['checkout', undefined, undefined]);
    assert.equal(await current(), 'main');
    assert.equal(await read(), 'mine\n');
    assert.equal(await told('stash', 'list'), '');
  });

  it('puts nothing away where nothing is changed, whatever else is in the list', async () => {
    await write('older\n');
    await repository.git('stash', 'push', '-m', 'Older');
    const switched = await go({ changes: 'stash' });
    assert.equal(switched.stash, undefined);
    await switchBack(git, facts, switched);
    assert.match(await told('stash', 'list'), /Older/);
  });

  it('keeps the branch that has commits of its own', async () => {
    const switched = await go();
    const own = await repository.commit('Mine', 'mine.txt');
    assert.deepEqual(await switchBack(git, facts, switched), { branch: 'feature/12' });
    assert.equal(await current(), 'main');
    assert.equal(await told('rev-parse', 'feature/12'), own);
  });

  it('deletes one without commits of its own that begins where the branch before is not', async () => {
    await repository.git('checkout', '--quiet', '-b', 'old', first);
    const switched = await go({ start: second });
    assert.deepEqual(await switchBack(git, facts, switched), {});
    assert.equal(await current(), 'old');
    assert.equal(await told('branch', '--list', 'feature/12'), '');
  });

  it('goes back to no branch, where none was checked out', async () => {
    await repository.git('checkout', '--quiet', '--detach', first);
    const switched = await go({ start: second });
    await switchBack(git, facts, switched);
    assert.equal(await current(), '');
    assert.equal(await told('rev-parse', 'HEAD'), first);
  });

  it('stays on a branch that was checked out since, and leaves the stash in the list', async () => {
    await write('mine\n');
    const switched = await go({ changes: 'stash' });
    await repository.git('checkout', '--quiet', '-b', 'elsewhere');
    assert.deepEqual(await switchBack(git, facts, switched), { stash: 'Before story #12' });
    assert.equal(await current(), 'elsewhere');
    assert.equal(await told('branch', '--list', 'feature/12'), '');
  });

  it('changes nothing on the way back where that would overwrite what is not committed', async () => {
    const switched = await go({ start: first });
    await write('mine\n');
    const error = await failing(switchBack(git, facts, switched));
    assert.match(String(error.cause), /would be overwritten/);
    assert.equal(await current(), 'feature/12');
    assert.equal(await read(), 'mine\n');
  });

  it('tells of a hook that fails once the branch is checked out, and can be taken back all the same', async () => {
    await hook('post-checkout', 'echo the hook refuses >&2; exit 1');
    const error = await failing(go({ start: first }));
    assert.match(String(error.cause), /the hook refuses/);
    assert.equal(await current(), 'feature/12');
    assert.ok(error.switched);
    assert.deepEqual(await switchBack(git, facts, error.switched), {});
    assert.equal(await current(), 'main');
    assert.equal(await told('branch', '--list', 'feature/12'), '');
  });

  it('does nothing on the branch that is checked out', async () => {
    await write('mine\n');
    const switched = await go({ branch: 'main', isNew: false, changes: 'stash' });
    assert.equal(await read(), 'mine\n');
    await switchBack(git, facts, switched);
    assert.equal(await current(), 'main');
  });
});
