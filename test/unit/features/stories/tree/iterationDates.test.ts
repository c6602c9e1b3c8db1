import assert from 'node:assert/strict';
import { iterationDates } from '../../../../../src/features/stories/tree/iterationDates.ts';

function assertDates(start: string | undefined, finish: string | undefined, expected: string): void {
  const date = (text: string | undefined) => (text === undefined ? {} : { text });
  const iteration = {
    ...{ id: 1, number: 1, stories: [] },
    ...(start === undefined ? {} : { start: { ...date(start), text: start } }),
    ...(finish === undefined ? {} : { finish: { ...date(finish), text: finish } }),
  };
  assert.equal(iterationDates(iteration, 'en').replace(/\s/g, ' '), expected);
}

describe('iterationDates', () => {
  it('are the first and the last day, whatever the zones of the server and the reader', () => {
    assertDates('2026/11/16 00:00:00 UTC', '2026/11/23 00:00:00 UTC', 'Nov 16 – 22');
    assertDates('2026/11/30 00:00:00 EST', '2026/12/07 00:00:00 EST', 'Nov 30 – Dec 6');
    assertDates('2026/03/02 00:00:00 XYZT', '2026/03/09 00:00:00 XYZT', 'Mar 2 – 8');
    assertDates('2026-11-16T00:00:00Z', '2026-11-23T00:00:00Z', 'Nov 16 – 22');
  });

  it('are left out when the server gave none that can be read', () => {
    assertDates(undefined, '2026/11/23 00:00:00 UTC', '');
    assertDates('soon', 'later', '');
  });
});
