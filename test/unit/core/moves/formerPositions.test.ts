import assert from 'node:assert/strict';
import type { Backlog } from '../../../../src/core/backlog/backlog.ts';
import { withMove } from '../../../../src/core/backlog/ordering.ts';
import { withIntent } from '../../../../src/core/intents/intentRules.ts';
import { concurrentMove } from '../../../../src/core/moves/formerPositions.ts';
import { withSteps } from '../../../../src/core/moves/madeMove.ts';
import { planNextTo } from '../../../../src/core/moves/movePlan.ts';
import { sketchedBacklog } from '../../../support/builders/sketchedBacklog.ts';

const backlog = sketchedBacklog(
  [
    [[10, 'accepted'], 11, 12],
    [13, 14, 15],
  ],
  [20, 21],
);
const accepted = (known: Backlog, storyId: number) =>
  withIntent(known, { kind: 'edit', storyId, edit: { state: 'accepted' } });

describe('concurrentMove', () => {
  /** Of 15 and perhaps more put before 12, with what others did before the server was told. */
  const assertSeen = (
    foreign: (known: Backlog) => Backlog,
    expected: ReturnType<typeof concurrentMove> | undefined,
    chosen = [15],
  ) => {
    const plan = planNextTo(backlog, chosen, { place: 'before', targetId: 12 });
    assert.ok('steps' in plan);
    const shown = withSteps(backlog, plan.steps);
    assert.deepEqual(concurrentMove(shown, withSteps(foreign(backlog), plan.steps), plan), expected);
  };

  it('is nothing when nobody moved what matters', () => {
    assertSeen((known) => known, undefined);
    assertSeen((known) => withMove(known, 21, 'before', 20), undefined);
    assertSeen((known) => withMove(known, 14, 'before', 13), undefined);
    assertSeen((known) => withMove(known, 11, 'after', 14), undefined);
    assertSeen((known) => known, undefined, [14, 15]);
  });

  it('is nothing when a story next to one in progress is planned for later', () => {
    const known = sketchedBacklog([
      [12, [11, 'started']],
      [13, 14],
    ]);
    const plan = planNextTo(known, [14], { place: 'before', targetId: 11 });
    assert.ok('steps' in plan);
    const asPlanned = sketchedBacklog([
      [12, [11, 'started']],
      [14, 13],
    ]);
    assert.equal(concurrentMove(withSteps(known, plan.steps), asPlanned, plan), undefined);
  });

  it('is that the target has moved, and the stories with it', () => {
    assertSeen((known) => withMove(known, 12, 'after', 14), { moved: 'target', storyId: 12 });
    assertSeen((known) => withMove(known, 12, 'after', 13), { moved: 'target', storyId: 12 }, [14, 15]);
  });

  it('is that the stories stand elsewhere, as when the target was accepted', () => {
    assertSeen((known) => accepted(known, 12), { moved: 'stories', storyId: 15 });
    const plan = planNextTo(backlog, [15], { place: 'before', targetId: 12 });
    assert.ok('steps' in plan);
    const shown = withSteps(backlog, plan.steps);
    assert.deepEqual(concurrentMove(shown, backlog, plan), { moved: 'stories', storyId: 15 });
  });
});
