import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { hashPassword, passwordMatches } from '../../../../src/service/auth/password.ts';

describe('passwords', () => {
  it('are known again, and no others are taken for them', async () => {
    const hashed = await hashPassword('correct horse');
    assert.equal(await passwordMatches('correct horse', hashed), true);
    assert.equal(await passwordMatches('Correct horse', hashed), false);
  });

  it('leave threads to files, however many are tried at once', async () => {
    const finished = [];
    for (let times = 0; times < 3; times += 1) {
      let done = 0;
      const all = Array.from({ length: 8 }, () => hashPassword('a').then(() => (done += 1)));
      await stat('.');
      finished.push(done);
      await Promise.all(all);
    }
    assert.equal(Math.min(...finished), 0);
  });
});
