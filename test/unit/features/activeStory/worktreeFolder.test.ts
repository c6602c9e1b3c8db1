import assert from 'node:assert/strict';
import { worktreeFolder } from '../../../../src/features/activeStory/worktreeFolder.ts';

/** A place in a setting that is filled in. */
const hole = (name: string) => `\${${name}}`;

describe('The folder of a worktree', () => {
  const assertFolder = (wished: string, branch: string, expected: string) =>
    it(`${JSON.stringify(wished)}, ${branch} → ${expected}`, () =>
      assert.equal(worktreeFolder({ root: '/work/app', branch, wished, home: '/home/ada' }), expected));

  assertFolder('', 'feature/12-sort', '/work/app.worktrees/feature-12-sort');
  assertFolder('  ', 'main', '/work/app.worktrees/main');
  assertFolder('/trees', 'a/b/c', '/trees/a-b-c');
  assertFolder(`~/trees/${hole('repository')}`, 'main', '/home/ada/trees/app/main');
  assertFolder('~', 'main', '/home/ada/main');
  assertFolder('~ada/trees', 'main', '/work/app/~ada/trees/main');
  assertFolder('../trees', 'main', '/work/trees/main');
  assertFolder(`$(touch x);${hole('other')}`, 'main', `/work/app/$(touch x);${hole('other')}/main`);
  assertFolder('', '$(touch x)"<|>\\..', '/work/app.worktrees/$(touch x)-..');

  it('is inside the folder of worktrees, whatever the branch is called', () => {
    for (const branch of ['../../x', '/etc', 'a/../../b', '\\..\\x'])
      assert.match(
        worktreeFolder({ root: '/work/app', branch, wished: '', home: '/' }),
        /^\/work\/app\.worktrees\/[^/]+$/,
      );
  });
});
