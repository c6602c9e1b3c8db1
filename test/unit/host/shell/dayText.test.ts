import assert from 'node:assert/strict';
import { dayText } from '../../../../src/core/calendar.ts';

describe('a day for people', () => {
  it('is the one that the server wrote, whatever its zone', () => {
    assert.equal(dayText({ text: '2026/11/30 23:59:00 PST' }, 'en'), 'Nov 30, 2026');
    assert.equal(dayText({ text: '2026-11-30', time: 0 }, 'de'), '30.11.2026');
  });

  it('is what the server wrote where that is none', () => {
    assert.equal(dayText({ text: 'soon' }, 'en'), 'soon');
  });
});
