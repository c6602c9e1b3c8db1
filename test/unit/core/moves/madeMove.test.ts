import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Backlog, findStory, orderOf } from '../../../../src/core/backlog/backlog.ts';
import { withMove } from '../../../../src/core/backlog/ordering.ts';
import { withIntent } from '../../../../src/core/intents/intentRules.ts';
import type { Spot } from '../../../../src/core/moves/fewestMoves.ts';
import { madeMove, planBack, takenBack, withSteps } from '../../../../src/core/moves/madeMove.ts';
import { inOrder, planNextTo } from '../../../../src/core/moves/movePlan.ts';
import { idsOf, sketchedBacklog } from '../../../support/builders/sketchedBacklog.ts';

const backlog = sketchedBacklog(
  [
    [[10, 'accepted'], 11, 12],
    [13, 14, 15],
  ],
  [20, 21],
);

function moved(before: Backlog, storyIds: readonly number[], spot: Spot) {
  const plan = planNextTo(before, inOrder(before, storyIds), spot);
  assert.ok('steps' in plan);
  const after = withSteps(before, plan.steps);
  const made = madeMove(before, after, plan.storyIds) ?? assert.fail('they stand together');
  return { after, made };
}

function back(now: Backlog, made: ReturnType<typeof moved>['made']): Backlog {
  const plan = planBack(now, made);
  assert.ok('steps' in plan, JSON.stringify(plan));
  return withSteps(now, plan.steps);
}

const before = (targetId: number): Spot => ({ place: 'before', targetId });
const after = (targetId: number): Spot => ({ place: 'after', targetId });
const set = (known: Backlog, storyId: number, state: string) =>
  withIntent(known, { kind: 'edit', storyId, edit: { state } });

describe('planBack', () => {
  const assertBack = (storyIds: readonly number[], spot: Spot) => {
    const { after: now, made } = moved(backlog, storyIds, spot);
    const restored = back(now, made);
    assert.deepEqual(orderOf(restored), orderOf(backlog));
    const states = (known: Backlog) => orderOf(known).map((id) => findStory(known, id)?.state);
    assert.deepEqual(states(restored), states(backlog));
  };

  it('brings stories back, one or scattered ones, from wherever they were put', () => {
    assertBack([15], before(11));
    assertBack([11], after(15));
    assertBack([11, 13, 15], after(12));
    assertBack([12, 13], before(11));
  });

  it('brings back what crossed the border of the icebox, with the state it had', () => {
    assertBack([12], before(21));
    assertBack([20], after(14));
    assertBack([13, 15, 20], after(21));
    assertBack([12, 20, 21], before(13));
  });

  it('takes several moves back, the latest first', () => {
    const one = moved(backlog, [15], before(11));
    const two = moved(one.after, [15, 11], after(14));
    const three = moved(two.after, [20], before(15));
    const steps = [three.made, two.made, one.made].reduce(back, three.after);
    assert.deepEqual(idsOf(steps), idsOf(backlog));
  });

  const assertChanged = (now: Backlog, made: ReturnType<typeof moved>['made'], changed: string, storyId: number) =>
    assert.deepEqual(planBack(now, made), { changed, storyId });

  it('does not guess where a story, or its former place, has changed since', () => {
    const { after: now, made } = moved(backlog, [14], before(11));
    assertChanged(withMove(now, 14, 'after', 12), made, 'story', 14);
    assertChanged(set(now, 14, 'accepted'), made, 'story', 14);
    assertChanged(set(now, 14, 'started'), made, 'story', 14);
    assertChanged(set(now, 14, 'unscheduled'), made, 'story', 14);
    assertChanged(withMove(now, 13, 'before', 12), made, 'place', 14);
    assertChanged(withMove(now, 12, 'after', 13), made, 'place', 14);
    assertChanged(set(now, 15, 'accepted'), made, 'place', 14);
  });

  it('minds nothing that happened elsewhere', () => {
    const { after: now, made } = moved(backlog, [14], before(11));
    assert.deepEqual(idsOf(back(withMove(now, 21, 'before', 20), made)).at(-1), [21, 20]);
    assert.deepEqual(orderOf(back(withMove(now, 12, 'before', 14), made)), [10, 12, 11, 13, 14, 15, 20, 21]);
    assert.deepEqual(orderOf(back(set(now, 12, 'started'), made)), orderOf(backlog));
  });

  it('brings a story back from the current iteration, whatever is in progress there', () => {
    const planned = sketchedBacklog([[[11, 'started'], 12, [16, 'started']], [13, 14], [15]]);
    const { made } = moved(planned, [13, 14], before(11));
    const asPlanned = sketchedBacklog([
      [13, 14, [11, 'started'], [16, 'started']],
      [12, 15],
    ]);
    assert.deepEqual(orderOf(back(asPlanned, made)), [11, 16, 12, 13, 14, 15]);
  });

  it('puts a story back beside one in progress', () => {
    const planned = sketchedBacklog([[12, [11, 'started'], 13, 14], [15]]);
    const { after: now, made } = moved(planned, [13], after(15));
    assert.deepEqual(orderOf(back(now, made)), [12, 11, 13, 14, 15]);
  });

  it('takes nothing into the icebox that was begun since', () => {
    const { after: now, made } = moved(backlog, [20], before(13));
    assertChanged(set(now, 20, 'started'), made, 'story', 20);
  });

  it('leads, after any foreign move, to the former place between the same stories, or nowhere', () => {
    const ids = [11, 12, 13, 14, 15, 20, 21];
    const moves = fc
      .record({
        chosen: fc.subarray(ids, { minLength: 1, maxLength: 4 }),
        target: fc.constantFrom(...ids),
        place: fc.constantFrom('before' as const, 'after' as const),
        foreign: fc.option(fc.tuple(fc.constantFrom(...ids.slice(0, 5)), fc.constantFrom(...ids.slice(0, 5)))),
      })
      .filter(({ chosen, target }) => !chosen.includes(target));
    let refused = 0;
    fc.assert(
      fc.property(moves, ({ chosen, target, place, foreign }) => {
        const { after: now, made } = moved(backlog, chosen, { place, targetId: target });
        const [story, next] = foreign ?? [0, 0];
        const changed = foreign ? withMove(now, story, 'after', next) : now;
        const plan = planBack(changed, made);
        if ('changed' in plan) {
          refused++;
          assert.ok(foreign, 'nothing else keeps a move from being taken back');
          return;
        }
        const restored = withSteps(changed, plan.steps);
        const others = (known: Backlog) => orderOf(known).filter((id) => !chosen.includes(id));
        assert.deepEqual(others(restored), others(changed), 'what was not moved stays');
        if (foreign) return;
        assert.deepEqual(orderOf(restored), orderOf(backlog));
        assert.deepEqual(orderOf(back(restored, takenBack(made))), orderOf(now), 'it can be made again');
      }),
      { numRuns: 1000 },
    );
    assert.ok(refused > 20, 'some were');
  });
});
