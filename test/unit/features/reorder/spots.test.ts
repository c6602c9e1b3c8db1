import assert from 'node:assert/strict';
import { type Direction, spotInDirection, topOf } from '../../../../src/features/reorder/spots.ts';
import { sketchedBacklog } from '../../../support/builders/sketchedBacklog.ts';

const backlog = sketchedBacklog(
  [
    [[10, 'accepted'], [11, 'started'], 12],
    [13, 14, 15],
  ],
  [20, 21],
);

describe('spotInDirection', () => {
  const assertSpot = (ids: readonly number[], direction: Direction, expected: string | undefined) => {
    const spot = spotInDirection(backlog, ids[0] === 20 || ids[0] === 21 ? 'icebox' : 'scheduled', ids, direction);
    assert.equal(spot && `${spot.place} ${spot.targetId}`, expected);
  };

  it('goes past one neighbour, over the border of an iteration too', () => {
    assertSpot([14], 'up', 'before 13');
    assertSpot([13], 'up', 'before 12');
    assertSpot([12], 'down', 'after 13');
  });

  it('goes to an end', () => {
    assertSpot([14], 'top', 'before 11');
    assertSpot([12], 'bottom', 'after 15');
  });

  it('stays when it is there, and does not pass done stories or leave the icebox', () => {
    assertSpot([11], 'up', undefined);
    assertSpot([11], 'top', undefined);
    assertSpot([15], 'down', undefined);
    assertSpot([15], 'bottom', undefined);
    assertSpot([20], 'up', undefined);
    assertSpot([21], 'down', undefined);
    assertSpot([20], 'down', 'after 21');
  });

  it('takes stories that no server has yet for none', () => {
    const unsent = sketchedBacklog([[12, 13, -1]], [-2, 20, 21]);
    assert.deepEqual(spotInDirection(unsent, 'icebox', [21], 'top'), { place: 'before', targetId: 20 });
    assert.equal(spotInDirection(unsent, 'icebox', [20], 'up'), undefined);
    assert.deepEqual(spotInDirection(unsent, 'scheduled', [12], 'bottom'), { place: 'after', targetId: 13 });
    assert.equal(spotInDirection(unsent, 'scheduled', [13], 'down'), undefined);
  });

  it('moves several together past the neighbour of the outermost', () => {
    assertSpot([13, 14], 'up', 'before 12');
    assertSpot([12, 14], 'up', 'before 11');
    assertSpot([12, 13], 'down', 'after 14');
    assertSpot([12, 14], 'down', 'after 15');
  });

  it('closes up what is scattered when the outermost is at the end', () => {
    assertSpot([11, 13], 'up', 'before 12');
    assertSpot([11, 12], 'up', undefined);
    assertSpot([13, 15], 'down', 'after 14');
    assertSpot([14, 15], 'down', undefined);
  });
});

describe('topOf', () => {
  const assertTop = (
    backlogOf: typeof backlog,
    number: number,
    ids: readonly number[],
    expected: string | undefined,
  ) => {
    const iteration = backlogOf.iterations.find((one) => one.number === number) ?? assert.fail();
    const spot = topOf(backlogOf, iteration, ids);
    assert.equal(spot && `${spot.place} ${spot.targetId}`, expected);
  };

  it('is before the first story that can be moved and is not moved itself', () => {
    assertTop(backlog, 13, [11], 'before 13');
    assertTop(backlog, 12, [15], 'before 11');
    assertTop(backlog, 13, [13], 'before 14');
  });

  it('is, in an iteration without such a story, next to what surrounds it', () => {
    const gaps = sketchedBacklog([[], [12], []]);
    assertTop(gaps, 12, [20], 'before 12');
    assertTop(gaps, 14, [20], 'after 12');
    assertTop(gaps, 14, [12], undefined);
  });
});
