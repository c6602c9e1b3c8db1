import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { type Steps, sorting, stepwise, Turns } from '../../../../src/host/shell/turnBudget.ts';

/** Longer than all work that gives way is given together. */
function work(): void {
  for (const end = performance.now() + 3; performance.now() < end; );
}

describe('The time of a turn', () => {
  it('is shared by all who give way, and each goes on', async () => {
    const done: string[] = [];
    const steps = function* (name: string): Steps<void> {
      for (const part of [1, 2]) {
        work();
        done.push(`${name}${part}`);
        yield;
      }
    };
    await nextTurn();
    const all = [stepwise(steps('a')), stepwise(steps('b'))];
    const row = new Turns().take(() => done.push('row'));
    assert.deepEqual(done, ['a1', 'b1'], 'the row waits for a turn that is not spent');
    await Promise.all([...all, row]);
    assert.deepEqual(done.toSorted(), ['a1', 'a2', 'b1', 'b2', 'row']);
  });
});

describe('Sorting that gives way', () => {
  it('is the order of a sort that keeps equal ones as they were, whatever the length', async () => {
    const item = fc.record({ value: fc.nat(20), id: fc.nat() });
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 1500, size: 'max' }), async (items) => {
        const compare = (one: { readonly value: number }, other: { readonly value: number }) => one.value - other.value;
        assert.deepEqual(await stepwise(sorting(items, compare)), items.toSorted(compare));
      }),
      { numRuns: 50 },
    );
  });

  it('offers to give way again and again in a long list', () => {
    const steps = sorting(
      Array.from({ length: 10_000 }, (_, index) => (index * 7919) % 10_007),
      (one, other) => one - other,
    );
    let offers = 0;
    for (let step = steps.next(); !step.done; step = steps.next()) offers += 1;
    assert.ok(offers >= 200, `${offers} offers`);
  });
});
