import assert from 'node:assert/strict';
import { labelsRules } from '../../../../src/core/intents/labels.ts';
import { aStory } from '../../../support/builders/builders.ts';

describe('A change of labels that is to be undone', () => {
  const change = { add: ['API'], remove: ['api'] };
  const isAsLeft = (labels: readonly string[]) =>
    labelsRules.undo?.isAsLeft(aStory({ labels }), { kind: 'labels', storyId: 1, change, known: [] });

  it('is as it was left also where a server keeps small letters', () => {
    assert.equal(isAsLeft(['API']), true);
    assert.equal(isAsLeft(['api']), true);
    assert.equal(isAsLeft(['x', 'api']), true);
  });

  it('is not as it was left once the label is gone', () => {
    assert.equal(isAsLeft([]), false);
    assert.equal(isAsLeft(['x']), false);
  });
});
