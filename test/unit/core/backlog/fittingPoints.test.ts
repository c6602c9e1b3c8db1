import assert from 'node:assert/strict';
import { fittingPoints } from '../../../../src/core/backlog/workflow.ts';

describe('The points that a project takes for an estimate', () => {
  const project = { bugsAndChoresAreEstimatable: false, pointScale: [0, 1, 2, 4, 8] };

  it('are those, or the nearest of its scale', () => {
    for (const [estimate, expected] of [
      [4, 4],
      [5, 4],
      [7, 8],
      [100, 8],
      [0, 0],
    ] as const) {
      assert.equal(fittingPoints('feature', estimate, project), expected);
    }
    assert.equal(fittingPoints('feature', 5, { ...project, pointScale: [] }), 5);
  });

  it('are none for a story of a type that it does not estimate', () => {
    assert.equal(fittingPoints('bug', 4, project), undefined);
    assert.equal(fittingPoints('bug', 4, { ...project, bugsAndChoresAreEstimatable: true }), 4);
    assert.equal(fittingPoints('release', 4, project), undefined);
  });
});
