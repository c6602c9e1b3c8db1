import assert from 'node:assert/strict';
import { fieldsOf, WRITTEN_FIELDS } from '../../../../src/core/story/storyFields.ts';
import { fieldsAgain, plannedCopy } from '../../../../src/host/story/storyCopies.ts';
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

describe('A story that is made again', () => {
  const whole = aStory({
    ...{ name: 'Bake', type: 'release', state: 'started', estimate: 2, description: 'Rye', labels: ['oven'] },
    ...{ requestedBy: 'Ada Fenn', ownedBy: 'Ben Holt', deadline: aDate('2027-12-31T12:00:00Z') },
    ...{ acceptedAt: aDate('2027-12-30T12:00:00Z'), createdAt: aDate('2027-01-01T12:00:00Z') },
    ticket: { prefix: 'other', externalId: 'X-1', integrationId: 3, url: 'https://bugs.example.org/X-1' },
  });

  const { requestedBy: _nobody, ...bare } = aStory({
    ...{ name: 'Bake', type: 'feature', state: 'unscheduled', estimate: -1, labels: [] },
  });

  it('has each field that people set, but for the date of creation', () => {
    const { name, type, state, estimate, description, labels, requestedBy, ownedBy, deadline, acceptedAt } = whole;
    assert.deepEqual(fieldsAgain(whole), {
      ...{ name, type, state, estimate, description, labels, requestedBy, ownedBy, deadline, acceptedAt },
      ticket: { prefix: 'other', externalId: 'X-1', integrationId: 3 },
    });
  });

  it('has none that was empty', () => {
    assert.deepEqual(fieldsAgain(bare), { name: 'Bake', type: 'feature', state: 'unscheduled', labels: [] });
  });

  it('is edited from what it has: null for what an edit clears, nothing for what none does', () => {
    assert.deepEqual(fieldsOf(bare, WRITTEN_FIELDS), {
      ...{ name: 'Bake', type: 'feature', labels: [] },
      ...{ description: null, estimate: null, ownedBy: null, deadline: null },
    });
  });
});
