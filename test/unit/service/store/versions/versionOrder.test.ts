import assert from 'node:assert/strict';
import { type Fault, type Form, VersionWorld } from './versionWorld.ts';

const SEEDS = 2_000;

/** How many of the runs show which fault. */
function faultsOf(form: Form): Partial<Record<Fault, number>> {
  const counts: Partial<Record<Fault, number>> = {};
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    for (const fault of new VersionWorld(form, seed).run()) counts[fault] = (counts[fault] ?? 0) + 1;
  }
  return counts;
}

describe('Versions of changes that several processes make', () => {
  it('are seen in order, none skipped or twice, nothing lost or held up, where the lock is taken with the commit', () => {
    assert.deepEqual(faultsOf('withCommit'), {});
  });

  it('are so, too, where it is taken before, but a process that stops holds up all others', () => {
    assert.deepEqual(Object.keys(faultsOf('whileWorking')), ['held up']);
  });

  for (const [form, fault] of [
    ['withoutLock', 'skipped'],
    ['unlockedEarly', 'skipped'],
    ['shownEarly', 'skipped'],
    ['shownEarly', 'lost'],
  ] as const) {
    it(`are ${fault} in another form, which the simulation finds: ${form}`, () => {
      assert.ok((faultsOf(form)[fault] ?? 0) > SEEDS / 100);
    });
  }
});
