import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Backlog, findStory, orderOf } from '../../../../src/core/backlog/backlog.ts';
import { withIntent } from '../../../../src/core/intents/intentRules.ts';
import {
  inOrder,
  intentsOf,
  type MovePlan,
  type MoveStep,
  planInto,
  planNextTo,
} from '../../../../src/core/moves/movePlan.ts';
import { idsOf, sketchedBacklog } from '../../../support/builders/sketchedBacklog.ts';

const backlog = sketchedBacklog([[[10, 'accepted'], [11, 'started'], 12], [13, 14, 15], []], [20, 21]);

const withSteps = (before: Backlog, steps: readonly MoveStep[]) =>
  intentsOf(steps).reduce((known, intent) => withIntent(known, intent), before);

/** Claims how the backlog looks once the plan has been carried out. */
function assertMoved(plan: MovePlan, expected: readonly (readonly number[])[], before: Backlog = backlog): Backlog {
  assert.ok('steps' in plan, JSON.stringify(plan));
  const moved = withSteps(before, plan.steps);
  assert.deepEqual(idsOf(moved), expected);
  return moved;
}

describe('planNextTo a story that no server has yet', () => {
  const unsent = sketchedBacklog([[12, 13, -1]], [-2, 20]);

  it('is refused as such, in the backlog and in the icebox', () => {
    for (const targetId of [-1, -2]) {
      const refusal = { because: 'unsent', storyId: targetId };
      assert.deepEqual(planNextTo(unsent, [12], { place: 'before', targetId }), { refusal });
    }
  });

  it('is refused for such a story too', () => {
    const plan = planNextTo(unsent, [-1], { place: 'before', targetId: 12 });
    assert.deepEqual(plan, { refusal: { because: 'unsent', storyId: -1 } });
  });
});

describe('planNextTo', () => {
  it('puts one story before or after another', () => {
    assertMoved(planNextTo(backlog, [15], { place: 'before', targetId: 13 }), [
      [10, 11, 12],
      [15, 13, 14],
      [],
      [20, 21],
    ]);
    assertMoved(planNextTo(backlog, [13], { place: 'after', targetId: 15 }), [
      [10, 11, 12],
      [14, 15, 13],
      [],
      [20, 21],
    ]);
    assertMoved(planNextTo(backlog, [12], { place: 'after', targetId: 14 }), [
      [10, 11],
      [13, 14, 12, 15],
      [],
      [20, 21],
    ]);
  });

  it('keeps several in their order, wherever they came from', () => {
    assertMoved(planNextTo(backlog, [13, 15], { place: 'before', targetId: 11 }), [
      [10, 13, 15, 11, 12],
      [14],
      [],
      [20, 21],
    ]);
    assertMoved(planNextTo(backlog, [11, 13], { place: 'after', targetId: 15 }), [
      [10, 12],
      [14, 15, 11, 13],
      [],
      [20, 21],
    ]);
  });

  it('changes the state of what leaves or enters the icebox', () => {
    const iced = assertMoved(planNextTo(backlog, [13], { place: 'after', targetId: 20 }), [
      [10, 11, 12],
      [14, 15],
      [],
      [20, 13, 21],
    ]);
    assert.equal(findStory(iced, 13)?.state, 'unscheduled');
    const taken = assertMoved(planNextTo(backlog, [21], { place: 'before', targetId: 13 }), [
      [10, 11, 12],
      [21, 13, 14, 15],
      [],
      [20],
    ]);
    assert.equal(findStory(taken, 21)?.state, 'unstarted');
  });

  const assertRefused = (plan: MovePlan, because: string, storyId: number) =>
    assert.deepEqual(plan, { refusal: { because, storyId } });

  it('leaves done stories where they are', () => {
    assertRefused(planNextTo(backlog, [12, 10], { place: 'after', targetId: 15 }), 'done', 10);
    assertRefused(planNextTo(backlog, [1], { place: 'after', targetId: 15 }), 'done', 1);
    assertRefused(planNextTo(backlog, [12], { place: 'before', targetId: 10 }), 'doneTarget', 10);
    assertRefused(planNextTo(backlog, [12], { place: 'before', targetId: 1 }), 'doneTarget', 1);
  });

  it('loses no progress: what was begun does not go to the icebox', () => {
    assertRefused(planNextTo(backlog, [11], { place: 'before', targetId: 20 }), 'inProgress', 11);
    const strange = sketchedBacklog([[[5, 'on_hold']]], [6]);
    assertRefused(planNextTo(strange, [5], { place: 'before', targetId: 6 }), 'inProgress', 5);
  });

  it('knows no stories of other projects', () => {
    assertRefused(planNextTo(backlog, [99], { place: 'before', targetId: 13 }), 'unknown', 99);
    assertRefused(planNextTo(backlog, [13], { place: 'before', targetId: 99 }), 'unknown', 99);
  });

  it('needs no step to put a story next to itself', () => {
    const plan = planNextTo(backlog, [13], { place: 'before', targetId: 13 });
    assert.deepEqual('steps' in plan && plan.steps, []);
  });

  it('sends what it shows: the steps, taken one by one over a plain list, give the order shown', () => {
    const ids = [11, 12, 13, 14, 15];
    const plans = fc.record({
      moved: fc.subarray(ids, { minLength: 1, maxLength: 4 }),
      target: fc.constantFrom(...ids),
      place: fc.constantFrom('before', 'after'),
    });
    fc.assert(
      fc.property(plans, ({ moved, target, place }) => {
        fc.pre(!moved.includes(target));
        const plan = planNextTo(backlog, moved, { place, targetId: target });
        assert.ok('steps' in plan);
        const list = orderOf(backlog).slice();
        for (const { storyId, spot } of plan.steps) {
          list.splice(list.indexOf(storyId), 1);
          list.splice(list.indexOf(spot?.targetId ?? -1) + (spot?.place === 'after' ? 1 : 0), 0, storyId);
        }
        assert.deepEqual(orderOf(withSteps(backlog, plan.steps)), list);
        const block = list.filter((id) => moved.includes(id));
        assert.deepEqual(block, moved, 'relative order is kept');
        const end = place === 'before' ? list.indexOf(target) : list.indexOf(target) + moved.length + 1;
        assert.deepEqual(list.slice(end - moved.length, end), moved, 'right next to the target');
        const again = withSteps(withSteps(backlog, plan.steps), plan.steps);
        assert.deepEqual(orderOf(again), list, 'applying the guess twice is as applying it once');
      }),
    );
  });
});

describe('planInto', () => {
  it('fills an empty icebox and an empty backlog by the state alone', () => {
    const noIcebox = sketchedBacklog([[12, 13]]);
    const iced = assertMoved(planInto(noIcebox, 'icebox', [12], undefined), [[13], [12]], noIcebox);
    assert.equal(findStory(iced, 12)?.state, 'unscheduled');
    const noBacklog = sketchedBacklog([[[10, 'accepted']]], [20, 21]);
    assertMoved(planInto(noBacklog, 'scheduled', [20, 21], undefined), [[10, 20, 21], []], noBacklog);
  });
});

describe('inOrder', () => {
  it('sorts by the backlog and keeps each story once', () => {
    assert.deepEqual(inOrder(backlog, [20, 15, 11, 15, 13]), [11, 13, 15, 20]);
  });
});
