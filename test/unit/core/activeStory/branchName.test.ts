import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { branchName, isBranchName, namesStory } from '../../../../src/core/activeStory/branchName.ts';

const DEFAULT = '$' + '{type}/$' + '{id}-$' + '{slug}';
const aStory = (name: string, type = 'feature') => ({ id: 12, type, name });

/** Whether Git itself takes it. */
function isTakenByGit(name: string): boolean {
  return spawnSync('git', ['check-ref-format', '--branch', name], { cwd: '/' }).status === 0;
}

/** Slow to try one by one; a refused one shows up as such. */
const awkward = fc.stringMatching(/^[-@{}.a-c/lock~^:?*[\\ \t\x7fäß漢#]{0,12}$/);

describe('The branch for a story', () => {
  const assertBranch = (name: string, expected: string, template = DEFAULT) =>
    it(`${JSON.stringify(name)} → ${expected}`, () => assert.equal(branchName(template, aStory(name)), expected));

  assertBranch('Sort the list by rank', 'feature/12-sort-the-list-by-rank');
  assertBranch('  Größe & café: 50 % more!  ', 'feature/12-große-cafe-50-more');
  assertBranch('検索を速くする', 'feature/12-検索を速くする');
  assertBranch('', 'feature/12');
  assertBranch('--upload-pack=touch /tmp/x', 'feature/12-upload-pack-touch-tmp-x');
  assertBranch('a\nb\u0000c', 'feature/12-a-b-c');
  assertBranch('word '.repeat(100), `feature/12-${'word-'.repeat(10).slice(0, -1)}`);
  assertBranch(
    'Paint the tree from the local replica before the network',
    'feature/12-paint-the-tree-from-the-local-replica-before-the',
  );
  assertBranch('語'.repeat(80), `feature/12-${'語'.repeat(50)}`);
  assertBranch('Sort', 'story/12', '');
  assertBranch('Sort', 'sort', '--$' + '{slug}.lock');
  assertBranch('Sort', 'a/b-12', '/a//../b ~^:$' + '{id}/');
  assertBranch('Sort', 'x/12', 'x$' + '{constructor}/$' + '{id}');
  assertBranch('HEAD', 'head', '$' + '{slug}');
  assertBranch('Sort', 'story/12', 'HEAD');

  it('is one that Git takes, whatever servers and templates say', () => {
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 30 }), awkward);
    const property = fc.property(text, text, text, (template, name, type) => {
      for (const one of [template, DEFAULT]) {
        const branch = branchName(one, { id: 12, type, name });
        assert.ok(isBranchName(branch), branch);
      }
    });
    fc.assert(property, { numRuns: 150 });
  });

  it('is one that Git takes, asked of Git', function () {
    this.timeout(20_000);
    const property = fc.property(awkward, fc.string({ unit: 'binary', maxLength: 30 }), (template, name) => {
      const branch = branchName(`${template}\${slug}`, aStory(name));
      assert.ok(isTakenByGit(branch), branch);
    });
    fc.assert(property, { numRuns: 40 });
  });
});

describe('The name of a branch', () => {
  it('is taken where Git takes it, and no other', () => {
    const property = fc.property(awkward, (name) => {
      if (isBranchName(name)) assert.ok(isTakenByGit(name), name);
      // `@`, `@{-1}` and the like are names of branches that Git looks up, not ones to be made.
      else assert.ok(!isTakenByGit(name) || name.includes('@{') || name === '@', name);
    });
    fc.assert(property, { numRuns: 60 });
  });

  for (const name of [
    '-d',
    '--orphan',
    'a..b',
    'a@{1}',
    'HEAD',
    '@',
    'a.lock',
    'a/.b',
    'a b',
    'a\n',
    '',
    'x'.repeat(201),
  ])
    it(`is not ${JSON.stringify(name.slice(0, 20))}`, () => assert.equal(isBranchName(name), false));
});

describe('A branch that names a story', () => {
  for (const branch of ['feature/12-sort', '12', 'ada/12', 'sort-12', 'sort_12_more', 'fix-#12'])
    it(branch, () => assert.ok(namesStory(branch, 12)));
  for (const branch of ['feature/120-sort', 'v1.12', 'main', '112', 'a12b'])
    it(`not ${branch}`, () => assert.equal(namesStory(branch, 12), false));
});
