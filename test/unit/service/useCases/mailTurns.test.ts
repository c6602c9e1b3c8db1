import assert from 'node:assert/strict';
import fc from 'fast-check';
import { nextTurn } from '../../../../src/service/useCases/mailTurns.ts';

const HOUR = 60 * 60 * 1000;

/** When mails that are queued at these moments may go out. */
function dueAt(moments: readonly number[], perHour: number): readonly number[] {
  let freeAt = 0;
  return moments.map((now) => {
    const turn = nextTurn(freeAt, now, perHour);
    freeAt = turn.freeAt;
    return turn.dueAt;
  });
}

describe('the turns of mails', () => {
  it('are at once as long as there are no more than an hour’s, and then evenly spread', () => {
    const now = 1_700_000_000_000;
    const due = dueAt(
      Array.from({ length: 8 }, () => now),
      4,
    );
    const quarter = HOUR / 4;
    assert.deepEqual(
      due.map((each) => each - now),
      [0, 0, 0, 0, quarter, 2 * quarter, 3 * quarter, HOUR],
    );
  });

  it('are at once again after an hour in which nobody sent any', () => {
    const now = 1_700_000_000_000;
    const later = now + HOUR;
    assert.deepEqual(dueAt([now, now, now, later, later, later, later], 4).slice(3), [later, later, later, later]);
  });

  it('are never before the mail is queued, in order, and so many an hour at most besides the first ones', () => {
    const pauses = fc.array(fc.integer({ min: 0, max: HOUR / 2 }), { maxLength: 60 });
    fc.assert(
      fc.property(pauses, fc.integer({ min: 1, max: 20 }), (all, perHour) => {
        const moments = all.map((_, index) => all.slice(0, index + 1).reduce((sum, pause) => sum + pause, HOUR));
        const due = dueAt(moments, perHour);
        for (const [index, each] of due.entries()) {
          assert.ok(each >= (moments[index] ?? 0) && each >= (due[index - 1] ?? 0));
          const within = due.filter((other) => other >= each && other < each + HOUR).length;
          assert.ok(within <= 2 * perHour, `${within} in an hour`);
        }
      }),
    );
  });
});
