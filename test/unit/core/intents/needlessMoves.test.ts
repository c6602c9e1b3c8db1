import assert from 'node:assert/strict';
import fc from 'fast-check';
import { orderOf } from '../../../../src/core/backlog/backlog.ts';
import type { Intent } from '../../../../src/core/intents/intent.ts';
import { needlessMoves, withIntent } from '../../../../src/core/intents/intentRules.ts';
import { aBacklog, anIteration, aStory, someStories } from '../../../support/builders/builders.ts';

const move = (storyId: number, targetId: number): Intent => ({ kind: 'move', storyId, place: 'after', targetId });
const state = (storyId: number, to: string): Intent => ({ kind: 'edit', storyId, edit: { state: to } });

const assertNeedless = (intents: readonly Intent[], expected: readonly number[], sent: readonly number[] = []) =>
  assert.deepEqual(needlessMoves(intents.map((intent, index) => ({ intent, mayGo: !sent.includes(index) }))), expected);

describe('needlessMoves', () => {
  it('are those that a later one of the same story overtakes', () => {
    assertNeedless([move(4, 5), move(4, 6), move(4, 7)], [0, 1]);
    assertNeedless([move(4, 5), move(8, 9), move(4, 7)], [0]);
    assertNeedless([move(4, 5), move(5, 6)], []);
  });

  it('are none that another was put next to in the meantime', () => {
    assertNeedless([move(4, 5), move(8, 4), move(4, 7)], []);
    assertNeedless([move(4, 5), move(8, 4), move(4, 7), move(8, 4)], [0, 1]);
  });

  it('are none that a server may have heard of', () => {
    assertNeedless([move(4, 5), move(4, 6), move(4, 7)], [1], [0]);
    assertNeedless([move(4, 5), move(8, 4), move(4, 7), move(8, 4)], [], [1]);
  });

  it('are none before the story crosses the border of the icebox', () => {
    assertNeedless([move(4, 5), state(4, 'unscheduled'), move(4, 20), move(4, 21)], [2]);
    assertNeedless([move(4, 5), { kind: 'comment', storyId: 4, text: 'Why?' }, move(4, 6)], [0]);
  });

  it('leave, when they go, the same order', () => {
    const backlog = aBacklog({
      iterations: [anIteration({ number: 3, stories: someStories(1, 2, 3, 4) }), anIteration({ number: 4 })],
      icebox: [5, 6].map((id) => aStory({ id, state: 'unscheduled' })),
    });
    const id = fc.integer({ min: 1, max: 6 });
    const intents = fc.array(
      fc.oneof(
        {
          weight: 6,
          arbitrary: fc
            .record({ storyId: id, targetId: id, place: fc.constantFrom('before' as const, 'after' as const) })
            .filter(({ storyId, targetId }) => storyId !== targetId)
            .map((one): Intent => ({ kind: 'move', ...one })),
        },
        { weight: 1, arbitrary: fc.tuple(id, fc.constantFrom('unscheduled', 'unstarted')).map((one) => state(...one)) },
      ),
      { minLength: 2, maxLength: 9 },
    );
    const after = (some: readonly Intent[]) => some.reduce((known, intent) => withIntent(known, intent), backlog);
    const isOrdered = (some: readonly Intent[]) =>
      some.every((intent, index) => {
        // A server refuses a move next to what is in the other list; none of these is one.
        if (intent.kind !== 'move') return true;
        const known = after(some.slice(0, index));
        const isIn = (storyId: number) => known.icebox.some((story) => story.id === storyId);
        return isIn(intent.storyId) === isIn(intent.targetId);
      });
    let gone = 0;
    fc.assert(
      fc.property(intents, fc.nat(), (some, sent) => {
        fc.pre(isOrdered(some));
        const waiting = some.map((intent, index) => ({ intent, mayGo: index >= sent % 3 }));
        const needless = needlessMoves(waiting);
        gone += needless.length;
        const rest = some.filter((_, index) => !needless.includes(index));
        assert.deepEqual(orderOf(after(rest)), orderOf(after(some)));
      }),
      { numRuns: 1000 },
    );
    assert.ok(gone > 100, 'some went');
  });
});
