import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { hashPassword, passwordMatches, passwordTurns } from '../../../../src/service/auth/password.ts';
import { Refusal } from '../../../../src/service/ground/errors.ts';
import { CallerGone } from '../../../../src/service/http/reply.ts';

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

describe('turns at passwords', () => {
  /** One that is taken until `end` is called, and all that begins behind it, in order. */
  function taken() {
    const begun: string[] = [];
    let end: () => void = () => undefined;
    const first = passwordTurns.first(() => new Promise<void>((resolve) => (end = resolve)));
    const ask = (address: string, name = address, isGone = () => false) => {
      const place = passwordTurns.enter({ address, isGone });
      return place.take(async () => void begun.push(name)).finally(place.leave);
    };
    return { begun, ask, end: () => end(), first };
  }

  it('come to one sender after the other, and to one network after the other', async () => {
    const { begun, ask, end } = taken();
    const flood = ['192.0.2.1', '192.0.2.2', '2001:db8:1:1::1', '2001:db8:1:2::1'];
    const all = flood.flatMap((address) => [1, 2, 3].map((time) => ask(address, `${address} ${time}`)));
    const honest = ask('198.51.100.7', 'honest');
    const neighbour = ask('192.0.2.9', 'neighbour');
    end();
    await Promise.all([...all, honest, neighbour]);
    assert.deepEqual(begun.slice(0, 3), ['192.0.2.1 1', '2001:db8:1:1::1 1', 'honest']);
    assert.ok(begun.indexOf('neighbour') <= 5, begun.join());
    assert.equal(begun.length, 14);
  });

  it('do not come to those who have gone, whose places are free', async () => {
    const { begun, ask, end } = taken();
    let isGone = false;
    const gone = [1, 2, 3, 4, 5].map(() => ask('192.0.2.1', 'gone', () => isGone));
    assert.throws(() => ask('192.0.2.1'), Refusal);
    isGone = true;
    const back = ask('192.0.2.1', 'back');
    end();
    for (const one of gone) await assert.rejects(one, CallerGone);
    await back;
    assert.deepEqual(begun, ['back']);
  });

  it('are five for one sender at a time, which is 64 bits of IPv6, and none for more', async () => {
    const { ask, end } = taken();
    const all = [1, 2, 3, 4, 5].map((host) => ask(`2001:db8:0:1::${host}`));
    const further = { address: '2001:DB8::1:0:0:0:6', isGone: () => false };
    assert.throws(
      () => passwordTurns.enter(further),
      (error: unknown) => error instanceof Refusal && error.status === 503 && error.headers['Retry-After'] === '2',
    );
    const other = ask('2001:db8:0:2::1');
    end();
    await Promise.all([...all, other]);
    passwordTurns.enter(further).leave();
  });

  it('come first to the service itself, and go on behind what failed', async () => {
    const { begun, ask, end } = taken();
    const asked = ask('192.0.2.1');
    const failed = passwordTurns.first(async () => {
      begun.push('own');
      throw new Error('This is a test.');
    });
    end();
    await assert.rejects(failed, /This is a test/);
    await asked;
    assert.deepEqual(begun, ['own', '192.0.2.1']);
  });
});
