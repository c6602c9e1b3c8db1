import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Backlog, findStory, orderOf, storiesOf, withStory } from '../../../../src/core/backlog/backlog.ts';
import { dropPlace, type MovePlace, withMove } from '../../../../src/core/backlog/ordering.ts';
import { aBacklog, anIteration, aStory } from '../../../support/builders/builders.ts';
import { idsOf } from '../../../support/builders/sketchedBacklog.ts';

const lists = (ids: readonly number[]) => ids.map((id) => aStory({ id }));

function backlogOf(iterations: readonly (readonly number[])[], icebox: readonly number[] = []): Backlog {
  return aBacklog({
    done: [anIteration({ number: 1, stories: lists([90]) })],
    iterations: iterations.map((ids, index) => anIteration({ number: index + 2, stories: lists(ids) })),
    icebox: lists(icebox),
  });
}

function assertMoved(storyId: number, place: MovePlace, targetId: number, ...expected: readonly number[][]): void {
  const moved = withMove(
    backlogOf(
      [
        [1, 2],
        [3, 4],
      ],
      [5, 6],
    ),
    storyId,
    place,
    targetId,
  );
  assert.deepEqual(idsOf(moved), expected, `${storyId} ${place} ${targetId}`);
}

describe('a backlog', () => {
  const backlog = backlogOf([[1, 2], [3]], [4]);

  it('finds its stories wherever they are', () => {
    for (const id of [90, 1, 3, 4]) assert.equal(findStory(backlog, id)?.id, id);
    assert.equal(findStory(backlog, 5), undefined);
  });

  it('tells all stories, and the order of those that can be moved', () => {
    assert.deepEqual(
      storiesOf(backlog).map(({ id }) => id),
      [90, 1, 2, 3, 4],
    );
    assert.deepEqual(orderOf(backlog), [1, 2, 3, 4]);
  });

  it('takes a story in the place of its older self', () => {
    const changed = withStory(backlog, aStory({ id: 3, name: 'Renamed' }));
    assert.deepEqual(idsOf(changed), idsOf(backlog));
    assert.equal(findStory(changed, 3)?.name, 'Renamed');
    assert.equal(findStory(backlog, 3)?.name, 'Story 3');
    assert.equal(changed.iterations[0], backlog.iterations[0], 'the others stay what they were');
    assert.deepEqual(withStory(backlog, aStory({ id: 9 })), backlog);
  });
});

describe('moving a story in a backlog', () => {
  it('puts it right before or after the target', () => {
    assertMoved(2, 'before', 1, [2, 1], [3, 4], [5, 6]);
    assertMoved(1, 'after', 2, [2, 1], [3, 4], [5, 6]);
    assertMoved(1, 'after', 3, [2], [3, 1, 4], [5, 6]);
    assertMoved(4, 'before', 1, [4, 1, 2], [3], [5, 6]);
    assertMoved(6, 'before', 3, [1, 2], [6, 3, 4], [5]);
    assertMoved(1, 'after', 6, [2], [3, 4], [5, 6, 1]);
  });

  it('changes nothing without a story, without a target, or onto itself', () => {
    for (const [id, target] of [
      [9, 1],
      [1, 9],
      [1, 1],
    ] as const)
      assertMoved(id, 'after', target, [1, 2], [3, 4], [5, 6]);
  });

  it('is to all stories in a row what it is to a plain list, and done twice is done once', () => {
    const row = fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { minLength: 2, maxLength: 12 });
    const cuts = fc.tuple(fc.nat(12), fc.nat(12));
    fc.assert(
      fc.property(
        row,
        cuts,
        fc.nat(11),
        fc.nat(11),
        fc.constantFrom('before', 'after'),
        (ids, cut, from, to, place) => {
          const [one, two] = cut.toSorted((a, b) => a - b);
          const backlog = backlogOf([ids.slice(0, one), ids.slice(one, two)], ids.slice(two));
          const id = ids[from % ids.length] ?? 0;
          const target = ids[to % ids.length] ?? 0;
          const moved = withMove(backlog, id, place, target);
          const naive = ids.flatMap((each) => {
            if (each === id && id !== target) return [];
            if (each !== target || id === target) return [each];
            return place === 'before' ? [id, each] : [each, id];
          });
          assert.deepEqual(orderOf(moved), naive);
          assert.deepEqual(withMove(moved, id, place, target), moved);
        },
      ),
    );
  });
});

describe('dropping stories', () => {
  it('lands before a target above, behind one below', () => {
    assert.equal(dropPlace([1, 2, 3, 4], [3], 1), 'before');
    assert.equal(dropPlace([1, 2, 3, 4], [2], 4), 'after');
    assert.equal(dropPlace([1, 2, 3, 4], [2, 3], 1), 'before');
    assert.equal(dropPlace([1, 2, 3, 4], [1, 2], 4), 'after');
  });
});
