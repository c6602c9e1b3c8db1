import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Backlog } from '../../../../src/core/backlog/backlog.ts';
import { isPlannedAsHere, plannedHere, slippedStories } from '../../../../src/core/backlog/localPlan.ts';
import { withMove } from '../../../../src/core/backlog/ordering.ts';
import { aBacklog, anIteration, aProject, aStory } from '../../../support/builders/builders.ts';

const five = (id: number) => aStory({ id, estimate: 5 });
const two = (id: number) => aStory({ id, estimate: 2 });
const current = { number: 3, stories: [five(1), five(2)] };
/** As planned with a velocity of 10: 5 + 5, 5 + 5, 5 + 2 + 2. */
const backlog = aBacklog({
  project: aProject({ currentVelocity: 10, currentIterationNumber: 3 }),
  iterations: [
    anIteration(current),
    anIteration({ number: 4, stories: [five(3), five(4)] }),
    anIteration({ number: 5, stories: [five(5), two(6), two(7)] }),
  ],
});

const replanned = (before: Backlog, after: Backlog) => (isPlannedAsHere(before) ? plannedHere(after) : undefined);
const idsOf = (plan: ReturnType<typeof replanned>) => plan?.map(({ stories }) => stories.map(({ id }) => id));

describe('plannedHere', () => {
  it('lays the iterations out anew after a move', () => {
    const after = withMove(backlog, 7, 'before', 1);
    assert.deepEqual(idsOf(replanned(backlog, after)), [[7, 1], [2, 3], [4, 5], [6]]);
    assert.deepEqual(
      replanned(backlog, after)?.map(({ number }) => number),
      [3, 4, 5, 6],
    );
  });

  it('minds the strength of a team, as it was told', () => {
    const half = anIteration({ number: 4, teamStrength: 0.5, stories: [five(3)] });
    const known = {
      ...backlog,
      iterations: [anIteration(current), half, anIteration({ number: 5, stories: [five(4), five(5)] })],
    };
    assert.deepEqual(idsOf(replanned(known, withMove(known, 5, 'before', 3))), [[1, 2], [5], [3, 4]]);
  });

  it('leaves to the team what it begins, where the project is in commit mode', () => {
    const begun = aStory({ id: 1, estimate: 5, state: 'started' });
    const committed = aBacklog({
      project: aProject({ currentVelocity: 10, currentIterationNumber: 3, commitMode: true }),
      iterations: [
        anIteration({ number: 3, stories: [begun] }),
        anIteration({ number: 4, stories: [five(2), five(3)] }),
        anIteration({ number: 5, stories: [two(4)] }),
      ],
    });
    assert.deepEqual(idsOf(replanned(committed, withMove(committed, 4, 'before', 1))), [[1], [4, 2], [3]]);
  });

  it('says nothing of a server that plans otherwise, or does not tell enough', () => {
    const odd = {
      ...backlog,
      iterations: [anIteration({ ...current, stories: [five(1)] }), anIteration({ number: 4, stories: [five(2)] })],
    };
    assert.equal(replanned(odd, odd), undefined);
    const { start: _start, ...undated } = anIteration(current);
    assert.equal(replanned({ ...backlog, iterations: [undated] }, backlog), undefined);
    const { currentVelocity: _velocity, ...project } = backlog.project;
    assert.equal(replanned({ ...backlog, project }, backlog), undefined);
  });
});

/** Iterations numbered from 12, as lists of story ids. */
const iterations = (...lists: readonly (readonly number[])[]) =>
  lists.map((ids, index) => ({ number: 12 + index, stories: ids.map((id) => ({ id })) }));

describe('stories that slip', () => {
  it('are those in a later iteration than before', () => {
    assert.deepEqual(slippedStories(iterations([1, 2], [3, 4], [5]), iterations([1], [2, 3], [4, 5])), [
      { iteration: 13, storyIds: [2] },
      { iteration: 14, storyIds: [4] },
    ]);
  });

  it('are not those that came nearer, are new, or were meant to go', () => {
    assert.deepEqual(slippedStories(iterations([1, 2], [3]), iterations([3], [1, 9, 2]), [1, 2]), []);
    assert.deepEqual(slippedStories(iterations([1]), iterations([])), []);
  });

  it('are found among any iterations, however many of them stay as they are', () => {
    const lists = fc.uniqueArray(fc.integer({ min: 1, max: 30 })).chain((ids) => {
      const into = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: ids.length, maxLength: ids.length });
      return into.map((places) => [0, 1, 2, 3, 4].map((at) => ids.filter((_, index) => places[index] === at)));
    });
    const property = fc.property(lists, lists, fc.array(fc.integer({ min: 1, max: 30 })), (before, other, moved) => {
      const kept = before.filter((_, at) => at % 2 === 0).flat();
      const after = before.map((list, at) =>
        at % 2 === 0 ? list : (other[at] ?? []).filter((id) => !kept.includes(id)),
      );
      const placeIn = (all: readonly (readonly number[])[], id: number) => all.findIndex((list) => list.includes(id));
      const expected = after.map((list, at) =>
        list.filter((id) => !moved.includes(id) && placeIn(before, id) >= 0 && placeIn(before, id) < at),
      );
      const found = new Map(
        slippedStories(iterations(...before), iterations(...after), moved).map((slip) => [
          slip.iteration,
          slip.storyIds,
        ]),
      );
      assert.deepEqual(
        after.map((_, at) => found.get(12 + at) ?? []),
        expected,
      );
    });
    fc.assert(property);
  });
});
