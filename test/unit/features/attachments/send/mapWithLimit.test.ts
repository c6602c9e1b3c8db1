import assert from 'node:assert/strict';
import { mapWithLimit } from '../../../../../src/features/attachments/send/mapWithLimit.ts';

const never = () => false;
const later = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('mapWithLimit', () => {
  it('runs no more than the limit at a time and tells the outcomes in the order given', async () => {
    let running = 0;
    let most = 0;
    const outcomes = await mapWithLimit(
      [3, 1, 2, 0],
      2,
      async (ticks) => {
        most = Math.max(most, ++running);
        for (let i = 0; i <= ticks; i++) await later();
        running--;
        return ticks * 10;
      },
      never,
    );
    assert.equal(most, 2);
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status === 'done' && outcome.value),
      [30, 10, 20, 0],
    );
  });

  it('goes on after a failure that concerns one item only', async () => {
    const outcomes = await mapWithLimit(['a', 'bad', 'c'], 1, failsForBad, never);
    assert.deepEqual(
      outcomes.map(({ item, status }) => [item, status]),
      [
        ['a', 'done'],
        ['bad', 'failed'],
        ['c', 'done'],
      ],
    );
  });

  it('begins nothing more after a failure that concerns all, and gives the others its reason', async () => {
    const begun: string[] = [];
    const run = (item: string) => {
      begun.push(item);
      return failsForBad(item);
    };
    const outcomes = await mapWithLimit(['a', 'bad', 'c', 'd'], 1, run, () => true);
    assert.deepEqual(begun, ['a', 'bad']);
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === 'failed' ? String(outcome.error) : 'done')),
      ['done', 'Error: bad it is', 'Error: bad it is', 'Error: bad it is'],
    );
  });

  it('has no outcomes for no items', async () => {
    assert.deepEqual(await mapWithLimit([], 2, failsForBad, never), []);
  });
});

async function failsForBad(item: string): Promise<string> {
  if (item === 'bad') throw new Error('bad it is');
  return item;
}
