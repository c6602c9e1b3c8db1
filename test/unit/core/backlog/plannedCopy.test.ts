import assert from 'node:assert/strict';
import { plannedCopy } from '../../../../src/core/backlog/plannedCopy.ts';
import { aDate, aProject, aStory } from '../../../support/builders/builders.ts';

describe('A copy of what was planned of a story', () => {
  const deadline = aDate('2027-12-31T12:00:00Z');
  const story = aStory({ estimate: 3, ownedBy: 'Ada Fenn', description: 'Rye', labels: ['oven'], deadline });
  const project = aProject({ pointScale: [0, 1, 3] });
  const plain = { name: 'Copy', type: 'feature', labels: ['oven'], description: 'Rye' };

  it('has what its project takes', () => {
    assert.deepEqual(plannedCopy(story, 'Copy', project), { ...plain, estimate: 3, ownedBy: 'Ada Fenn' });
    assert.deepEqual(plannedCopy({ ...story, type: 'release' }, 'Copy', project), {
      ...{ ...plain, type: 'release', ownedBy: 'Ada Fenn', deadline },
    });
  });

  it('has neither an owner who has left nor points that are no longer on the scale', () => {
    assert.deepEqual(plannedCopy({ ...story, ownedBy: 'Cy', estimate: 2 }, 'Copy', project), plain);
    assert.deepEqual(plannedCopy({ ...story, type: 'bug', ownedBy: 'Cy' }, 'Copy', project), { ...plain, type: 'bug' });
  });

  it('has all of it where the rules of the project are not known', () => {
    const copy = plannedCopy({ ...story, ownedBy: 'Cy', estimate: 2 }, 'Copy', undefined);
    assert.deepEqual(copy, { ...plain, ownedBy: 'Cy', estimate: 2 });
  });

  it('has a name that fits, of whole characters', () => {
    assert.equal(plannedCopy(story, `${'x'.repeat(4_999)}😀`, project).name, 'x'.repeat(4_999));
  });
});
