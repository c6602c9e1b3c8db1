import assert from 'node:assert/strict';
import fc from 'fast-check';
import { missedTime, nextAttempt, nextTurn } from '../../../../src/service/ground/deliveryTimes.ts';

const SECOND = 1_000;
const HOUR = 60 * 60 * SECOND;
const DAY = 24 * HOUR;

describe('the pause after a failed delivery', () => {
  const failing = { now: 0, failures: 1, failingSince: 0, queuedAt: 0, restFor: 0 };

  it('doubles from a second to an hour', () => {
    const pauses = [1, 2, 3, 4, 12, 13, 40].map((failures) => nextAttempt({ ...failing, failures }, 0));
    assert.deepEqual(pauses, [SECOND, 2 * SECOND, 4 * SECOND, 8 * SECOND, 2048 * SECOND, HOUR, HOUR]);
  });

  it('is up to a half shorter by chance', () => {
    assert.equal(nextAttempt({ ...failing, failures: 5 }, 1), 8 * SECOND);
    assert.equal(nextAttempt({ ...failing, failures: 5 }, 0.5), 12 * SECOND);
  });

  it('is as long as the receiver asks for, up to an hour', () => {
    assert.equal(nextAttempt({ ...failing, restFor: 90 * SECOND }, 0.5), 90 * SECOND);
    assert.equal(nextAttempt({ ...failing, restFor: 7 * DAY }, 0.5), HOUR);
    assert.equal(nextAttempt({ ...failing, now: DAY - SECOND, restFor: 7 * DAY }, 0.5), DAY);
  });

  it('ends with one more attempt when the day is over, after which the job is parked', () => {
    assert.equal(nextAttempt({ ...failing, now: DAY - SECOND, failures: 30 }, 0), DAY);
    assert.equal(nextAttempt({ ...failing, now: DAY, failures: 31 }, 0), 'parked');
  });

  it('gives a day to a job that was queued while the receiver was failing already', () => {
    const late = { ...failing, now: DAY, queuedAt: HOUR, failures: 30 };
    assert.equal(nextAttempt(late, 0), DAY + HOUR);
    assert.equal(nextAttempt({ ...late, now: DAY + HOUR }, 0), 'parked');
  });

  it('gives a day to a job that waited long before it was first tried', () => {
    assert.equal(nextAttempt({ ...failing, now: 5 * DAY, failingSince: 5 * DAY }, 0), 5 * DAY + SECOND);
  });

  it('leaves out the time in which nobody was there to try, such as a night, and no small delays', () => {
    assert.deepEqual(
      [0, 90 * SECOND, HOUR, 14 * HOUR].map((late) => missedTime(DAY, DAY + late)),
      [0, 0, 0, 14 * HOUR],
    );
  });

  it('counts its day from now on where a clock that was ahead says when it began', () => {
    const wrong = { ...failing, failingSince: 300 * DAY, queuedAt: 300 * DAY, failures: 30 };
    assert.equal(nextAttempt({ ...wrong, now: DAY }, 0), DAY + HOUR);
    assert.equal(nextAttempt({ ...wrong, now: DAY, queuedAt: 0, failingSince: 0 }, 0), 'parked');
  });

  it('always leads on, and to the end of the day at most', () => {
    const moments = fc.nat(3 * DAY);
    const some = fc.record({ now: moments, failingSince: moments, queuedAt: moments, restFor: fc.nat(2 * DAY) });
    fc.assert(
      fc.property(
        some,
        fc.integer({ min: 1, max: 1000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (state, n, random) => {
          const next = nextAttempt({ ...state, failures: n }, random);
          const end = Math.min(Math.max(state.failingSince, state.queuedAt), state.now) + DAY;
          if (next === 'parked') assert.ok(state.now >= end);
          else assert.ok(Number.isInteger(next) && next > state.now && next <= end);
        },
      ),
    );
  });
});

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
