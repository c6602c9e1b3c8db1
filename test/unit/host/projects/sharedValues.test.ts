import assert from 'node:assert/strict';
import { SharedValues } from '../../../../src/host/projects/takenChanges.ts';
import { aNote, aStory } from '../../../support/builders/builders.ts';

describe('SharedValues', () => {
  it('changes no value', () => {
    const stories = () => [
      aStory({ id: 1, labels: ['flour'], notes: [aNote()], ownedBy: 'Ada Fenn' }),
      aStory({ id: 2, state: 'accepted', type: 'a kind to come' }),
    ];
    assert.deepEqual(new SharedValues().in(structuredClone(stories())), stories());
  });

  it('has stories share lists with nothing in them, and one moment for two that are equal', () => {
    const [one, other] = new SharedValues().in(structuredClone([aStory({ id: 1 }), aStory({ id: 2 })]));
    assert.ok(one && other);
    assert.equal(one.labels, other.labels);
    assert.equal(one.tasks, one.notes);
    assert.equal(one.updatedAt, one.createdAt);
    assert.notEqual(one.createdAt, other.createdAt);
  });
});
