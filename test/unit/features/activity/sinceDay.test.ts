import assert from 'node:assert/strict';
import { askedDay, dayChoices, dayIn, gapIn } from '../../../../src/features/activity/sinceDay.ts';
import { anActivity } from '../../../support/builders/builders.ts';

const at = (day: number, hour = 0) => new Date(2026, 10, day, hour).getTime();

describe('The days that one may tell from', () => {
  function assertChoices(now: number, expected: Readonly<Record<string, number>>): void {
    const choices = dayChoices(now).map(({ kind, day }) => [kind, new Date(day).getDate()]);
    assert.deepEqual(choices, Object.entries(expected));
  }

  it('begin with the last working day', () => {
    assertChoices(at(20, 9), { lastWorkingDay: 19, monday: 16, today: 20 });
    assertChoices(at(17, 9), { lastWorkingDay: 16, today: 17 });
  });

  it('reach over a weekend', () => {
    assertChoices(at(16, 9), { lastWorkingDay: 13, monday: 16 });
    assertChoices(at(22, 9), { lastWorkingDay: 20, monday: 16, today: 22 });
    assertChoices(at(21, 23), { lastWorkingDay: 20, monday: 16, today: 21 });
  });

  it('are typed as dates that there are and that have begun', () => {
    assert.equal(dayIn('2026-11-09', at(20)), at(9));
    assert.equal(dayIn(' 2026/11/9 ', at(20)), at(9));
    for (const text of ['', 'monday', '2026-02-30', '2026-13-01', '2026-11-21', '09-11-2026']) {
      assert.equal(dayIn(text, at(20)), undefined, text);
    }
  });

  it('are asked for so early that no zone leaves anything out', () => {
    const furthestBehind = 12 * 60 * 60 * 1000;
    const asked = Date.parse(`${askedDay(at(20)).replaceAll('/', '-')}T00:00:00Z`);
    assert.match(askedDay(at(20)), /^\d{4}\/\d\d\/\d\d$/);
    assert.ok(asked <= at(20) - furthestBehind);
  });
});

describe('gapIn', () => {
  const answer = (count: number, oldest: number) =>
    Array.from({ length: count }, (_, index) =>
      anActivity({ id: index, occurredAt: { text: '', time: oldest + (count - 1 - index) * 1000 } }),
    );

  it('finds none in an answer that is not full, or reaches back', () => {
    assert.equal(gapIn(answer(99, at(20, 9)), at(20)), undefined);
    assert.equal(gapIn(answer(100, at(19, 23)), at(20)), undefined);
  });

  it('finds one where a full answer ends after the day began', () => {
    assert.deepEqual(gapIn(answer(100, at(20, 9)), at(20)), { kind: 'cutOff', count: 100, from: at(20, 9) });
  });

  it('finds one in a full answer whose times nobody can read', () => {
    const unreadable = Array.from({ length: 100 }, (_, id) => anActivity({ id, occurredAt: { text: 'yesterday' } }));
    assert.deepEqual(gapIn(unreadable, at(20)), { kind: 'cutOff', count: 100, from: at(20) });
  });
});
