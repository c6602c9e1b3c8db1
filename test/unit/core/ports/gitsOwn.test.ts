import assert from 'node:assert/strict';
import { isGitsOwn, isNotTaken } from '../../../../src/core/ports/outgoingFiles.ts';

describe('what Git keeps for itself', () => {
  const own = ['.git', '/w/.git/config', 'C:\\w\\.GIT\\config', 'w/GIT~1/config', 'w/.git::$INDEX_ALLOCATION/config'];
  for (const path of [...own, '.git./config', '.git /config'])
    it(`is ${path}`, () => assert.equal(isGitsOwn(path), true));
  for (const path of ['.gitignore', '.github/workflows/a.yml', 'git/config', 'a.git/b', 'legit~1', ''])
    it(`is not ${path}`, () => assert.equal(isGitsOwn(path), false));

  it('is not taken along with its folder, nor is what can be had again', () => {
    const names = ['.Git', '.hg', '.SVN', 'Node_Modules', 'modules', '.github'];
    assert.deepEqual(names.filter(isNotTaken), names.slice(0, 4));
  });
});
