import assert from 'node:assert/strict';
import { newNames, partName, patchName } from '../../../../../src/features/attachments/prepare/newNames.ts';

describe('names of what is made to be attached', () => {
  it('say which lines of which file', () => {
    assert.equal(partName('app.ts', [[10, 20]]), 'app.lines-10-20.ts');
    assert.equal(partName('app.test.ts', [[7, 7]]), 'app.test.line-7.ts');
    assert.equal(partName('.env', [[1, 2]]), '.env.lines-1-2');
    assert.equal(
      partName('Makefile', [
        [1, 1],
        [4, 6],
      ]),
      'Makefile.lines-1+4-6',
    );
    assert.equal(
      partName('a.md', [
        [1, 1],
        [2, 2],
        [3, 3],
        [4, 4],
      ]),
      'a.lines-1+2+3+.md',
    );
  });

  it('say which changes of which branch', () => {
    assert.equal(patchName('tracker', 'main', 'all'), 'tracker-main.patch');
    assert.equal(patchName('tracker', 'feature/12 log:in', 'staged'), 'tracker-feature-12-log-in-staged.patch');
    assert.equal(patchName('tracker', undefined, 'unstaged'), 'tracker-unstaged.patch');
  });
});

describe('newNames', () => {
  const assertNames = (wished: readonly string[], taken: readonly string[], expected: readonly string[]) =>
    it(`are ${expected.join(', ')} for ${wished.join(', ')} where there is ${taken.join(', ') || 'nothing'}`, () =>
      assert.deepEqual(newNames(wished, taken), expected));

  assertNames(['a.txt', 'b.txt'], [], ['a.txt', 'b.txt']);
  assertNames(['a.txt', 'a.txt', 'A.TXT'], [], ['a.txt', 'a (2).txt', 'A (3).TXT']);
  assertNames(['a.txt', 'a.txt'], ['A.txt', 'a (2).txt'], ['a (3).txt', 'a (4).txt']);
  assertNames(['.env', '.env'], [], ['.env', '.env (2)']);
  assertNames(['cafe\u0301.md'], ['café.md'], ['cafe\u0301 (2).md']);
});
