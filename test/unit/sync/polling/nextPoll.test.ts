import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Attention, isOld, type LastPoll, nextPollAt } from '../../../../src/sync/polling/nextPoll.ts';

const atWork: Attention = { isFocused: true, isActive: true, isVisible: true, seconds: 30 };
const well: LastPoll = { askedAt: 0, failures: 0 };

function assertNext(attention: Partial<Attention>, last: Partial<LastPoll>, seconds: number | undefined, random = 0.5) {
  const at = nextPollAt({ ...atWork, ...attention }, { ...well, ...last }, random);
  assert.equal(at === undefined ? undefined : at / 1000, seconds);
}

describe('The next poll', () => {
  it('comes soon while someone works in the window, later the less they look', () => {
    assertNext({}, {}, 30);
    assertNext({ seconds: 60 }, {}, 60);
    assertNext({ isActive: false }, {}, 120);
    assertNext({ isVisible: false }, {}, 120);
    assertNext({ isFocused: false }, {}, 300);
    assertNext({ isFocused: false, isActive: false, isVisible: false }, {}, 300);
    assertNext({}, { askedAt: 7000 }, 37);
  });

  it('never comes by itself when the setting says so, nor more often than every five seconds', () => {
    assertNext({ seconds: 0 }, {}, undefined);
    assertNext({ seconds: 0 }, { failures: 3, retryAfter: 1000 }, undefined);
    assertNext({ seconds: -3 }, {}, undefined);
    assertNext({ seconds: 1 }, {}, 5);
  });

  it('is put off after failures, twice as far each time, anywhere below that', () => {
    assertNext({}, { failures: 1 }, 60, 1);
    assertNext({}, { failures: 1 }, 30, 0.5);
    assertNext({}, { failures: 2 }, 120, 1);
    assertNext({}, { failures: 4 }, 300, 1);
    assertNext({}, { failures: 5000 }, 300, 1);
    assertNext({}, { failures: 5 }, 5, 0);
    assertNext({ isFocused: false }, { failures: 1 }, 300, 0);
  });

  it('waits as long as the server asked, up to an hour', () => {
    assertNext({}, { failures: 1, retryAfter: 90_000 }, 90, 0.1);
    assertNext({}, { failures: 3, retryAfter: 1000 }, 120, 0.5);
    assertNext({}, { failures: 1, retryAfter: 1e12 }, 3600);
  });

  it('comes when the iteration or the day ends, spread over the teams', () => {
    assertNext({ isFocused: false }, { turnsAt: 100_000 }, 101, 0);
    assertNext({ isFocused: false }, { turnsAt: 100_000 }, 116, 0.5);
    assertNext({}, { turnsAt: 100_000 }, 30);
    assertNext({}, { askedAt: 200_000, turnsAt: 100_000 }, 230);
  });

  it('is never in the past, and never further off than five minutes for who works there', () => {
    const numbers = fc.record({
      seconds: fc.integer({ min: 1, max: 300 }),
      failures: fc.nat(40),
      random: fc.noShrink(fc.double({ min: 0, max: 1, noNaN: true })),
    });
    fc.assert(
      fc.property(numbers, fc.boolean(), ({ seconds, failures, random }, isActive) => {
        const at = nextPollAt({ ...atWork, seconds, isActive }, { askedAt: 0, failures }, random) ?? 0;
        assert.ok(at >= 5000);
        if (isActive) assert.ok(at <= 5 * 60_000);
      }),
    );
  });
});

describe('What someone comes back to', () => {
  const assertOld = (last: Partial<LastPoll>, seconds: number, expected: boolean, attention: Partial<Attention> = {}) =>
    assert.equal(isOld({ ...atWork, ...attention }, { ...well, ...last }, seconds * 1000), expected);

  it('is old after the time between two polls', () => {
    assertOld({}, 29, false);
    assertOld({}, 30, true);
    assertOld({}, 4000, false, { seconds: 0 });
  });

  it('is asked for after failures too, unless the server wants to be left alone', () => {
    assertOld({ failures: 9 }, 30, true);
    assertOld({ failures: 1, retryAfter: 60_000 }, 30, false);
    assertOld({ failures: 1, retryAfter: 60_000 }, 60, true);
  });

  it('is old when the clock was set back', () => assertOld({ askedAt: 9_000_000 }, 0, true));
});
