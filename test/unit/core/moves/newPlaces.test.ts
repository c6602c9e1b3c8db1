import assert from 'node:assert/strict';
import { formerPositions } from '../../../../src/core/moves/formerPositions.ts';
import { formerPlaces, placeOfNew, shownPlace, type WantedPlace } from '../../../../src/core/moves/newPlaces.ts';
import { aBacklog, anIteration, aStory } from '../../../support/builders/builders.ts';

const stories = (...all: readonly (readonly [number, string])[]) => all.map(([id, state]) => aStory({ id, state }));

const backlog = aBacklog({
  iterations: [
    anIteration({ number: 5, stories: stories([1, 'accepted'], [2, 'started'], [3, 'unstarted']) }),
    anIteration({ number: 6, stories: stories([4, 'unstarted'], [5, 'unstarted']) }),
  ],
  icebox: stories([7, 'unscheduled'], [8, 'unscheduled']),
});

function assertPlace(place: WantedPlace, expected: string): void {
  it(`puts a story for ${JSON.stringify(place)} ${expected}`, () => {
    const { state, beside, isBackwards } = placeOfNew(backlog, place);
    const where = beside ? `${beside.place} ${beside.targetId}` : 'at the end';
    assert.equal(`${state}, ${where}${isBackwards ? ', the last first' : ''}`, expected);
  });
}

describe('where a new story goes', () => {
  assertPlace('top', 'unstarted, before 3');
  assertPlace('bottom', 'unstarted, at the end');
  assertPlace('icebox', 'unscheduled, before 7');
  assertPlace({ iteration: 5 }, 'unstarted, before 4');
  assertPlace({ iteration: 6 }, 'unstarted, at the end');
  assertPlace({ behind: { id: 4, state: 'unstarted' } }, 'unstarted, after 4, the last first');
  assertPlace({ behind: { id: 2, state: 'started' } }, 'unstarted, after 2, the last first');
  assertPlace({ behind: { id: 8, state: 'unscheduled' } }, 'unscheduled, after 8, the last first');
  assertPlace({ behind: { id: 1, state: 'accepted' } }, 'unscheduled, before 7');

  it('is up to the server while nothing is known of the backlog', () => {
    assert.deepEqual(placeOfNew(undefined, 'top'), { state: 'unstarted', isBackwards: false });
    assert.deepEqual(placeOfNew(undefined, 'icebox'), { state: 'unscheduled', isBackwards: true });
  });

  it('is the top of an empty icebox, where the one made last comes first', () => {
    assert.deepEqual(placeOfNew(aBacklog({ iterations: [], icebox: [] }), 'icebox'), {
      state: 'unscheduled',
      isBackwards: true,
    });
  });
});

describe('where stories stood that are made again', () => {
  const without = (...gone: readonly number[]) => ({
    ...backlog,
    iterations: backlog.iterations.map((one) => ({
      ...one,
      stories: one.stories.filter(({ id }) => !gone.includes(id)),
    })),
    icebox: backlog.icebox.filter(({ id }) => !gone.includes(id)),
  });
  const again = (...gone: readonly number[]) =>
    formerPlaces(without(...gone), formerPositions(backlog, gone)).map(
      ({ storyId, beside }) => `${storyId} ${beside ? `${beside.place} ${beside.targetId}` : 'at the end'}`,
    );

  it('is before the story that came after them, in their order', () => {
    assert.deepEqual(again(3, 4), ['3 before 5', '4 before 5']);
    assert.deepEqual(again(7), ['7 before 8']);
  });

  it('is behind the one before them where none came after', () => {
    assert.deepEqual(again(4, 5), ['5 after 3', '4 after 3']);
    assert.deepEqual(again(8), ['8 after 7']);
  });

  it('is the end of its list where nothing is left of it', () => {
    assert.deepEqual(again(7, 8), ['8 at the end', '7 at the end']);
    assert.deepEqual(again(3, 4, 5), ['3 at the end', '4 at the end', '5 at the end']);
  });
});

describe('where a story is shown', () => {
  it('is an iteration, the icebox or nowhere', () => {
    assert.deepEqual(
      [3, 5, 8, 99].map((id) => shownPlace(backlog, id)),
      [{ list: 'current', number: 5 }, { list: 'backlog', number: 6 }, { list: 'icebox' }, undefined],
    );
  });
});
