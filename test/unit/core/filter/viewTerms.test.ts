import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hidesDone, parseFilter } from '../../../../src/core/filter/filter.ts';
import { aDate, aStory, without } from '../../../support/builders/builders.ts';

const projects = [
  { id: 1, name: 'Lighthouse keepers' },
  { id: 21, name: 'Harbour café' },
];

/** Expects that a filter shows these projects of all. */
function assertProjects(text: string, ...ids: readonly number[]): void {
  it(`"${text}" shows ${ids.length === 0 ? 'none' : ids.join(', ')}`, () => {
    const { projectTests } = parseFilter(text);
    const shown = projects.filter((project) => projectTests.every((test) => test(project)));
    assert.deepEqual(
      shown.map(({ id }) => id),
      ids,
    );
  });
}

describe('Projects of a filter', () => {
  assertProjects('type:bug', 1, 21);
  assertProjects('project:lighthouse', 1);
  assertProjects('project:KEEP,café', 1, 21);
  assertProjects('project:21', 21);
  assertProjects('project:#1', 1);
  assertProjects('-project:harbour', 1);
  assertProjects('project:house project:keepers', 1);
  assertProjects('project:mill');

  it('say nothing of stories, nor whether done ones are shown', () => {
    const filter = parseFilter('project:lighthouse sort:name');
    assert.deepEqual([filter.tests, hidesDone(filter)], [[], false]);
  });
});

const stories = [
  aStory({ id: 3, name: 'b', estimate: 5, ownedBy: 'Bo', createdAt: aDate('2026-03-03T00:00:00Z') }),
  aStory({ id: 1, name: 'A', estimate: -1, ownedBy: 'ada', createdAt: aDate('2026-03-01T00:00:00Z') }),
  without(aStory({ id: 2, name: 'c', type: 'chore', createdAt: aDate('2026-03-02T00:00:00Z') }), 'estimate'),
  aStory({ id: 4, name: 'a', estimate: 8, createdAt: aDate('2026-03-01T00:00:00Z') }),
];

/** Expects the stories in this order. */
function assertSorted(text: string, ...ids: readonly number[]): void {
  it(`"${text}" is ${ids.join(', ')}`, () => {
    const { order } = parseFilter(text);
    const sorted = order ? stories.toSorted(order) : stories;
    assert.deepEqual(
      sorted.map(({ id }) => id),
      ids,
    );
  });
}

describe('The order of a filter', () => {
  assertSorted('type:bug', 3, 1, 2, 4);
  assertSorted('sort:priority', 3, 1, 2, 4);
  assertSorted('sort:name', 1, 4, 3, 2);
  assertSorted('sort:name-desc', 2, 3, 1, 4);
  assertSorted('sort:points', 4, 3, 1, 2);
  assertSorted('sort:points-asc', 3, 4, 1, 2);
  assertSorted('sort:created', 3, 2, 1, 4);
  assertSorted('SORT:Created-ASC', 1, 4, 2, 3);
  assertSorted('sort:owner', 1, 3, 2, 4);
  assertSorted('sort:created-asc,points', 4, 1, 2, 3);
  assertSorted('sort:created-asc sort:points', 4, 1, 2, 3);
  assertSorted('sort:id', 1, 2, 3, 4);

  it('is one that sorting can rely on', () => {
    const story = fc
      .record({ id: fc.nat(5), name: fc.constantFrom('a', 'A', 'b'), estimate: fc.constantFrom(-1, 0, 3) })
      .map((fields) => aStory(fields));
    const text = fc.constantFrom('sort:name', 'sort:points-asc', 'sort:points,name-desc', 'sort:owner,id');
    fc.assert(
      fc.property(text, fc.array(story, { minLength: 3, maxLength: 3 }), (asked, [a, b, c]) => {
        const { order } = parseFilter(asked);
        assert.ok(order && a && b && c);
        assert.ok(Math.sign(order(a, b)) === -Math.sign(order(b, a)));
        if (order(a, b) <= 0 && order(b, c) <= 0) assert.ok(order(a, c) <= 0);
      }),
    );
  });
});
