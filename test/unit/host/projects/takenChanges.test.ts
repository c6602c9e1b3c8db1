import assert from 'node:assert/strict';
import type { Story } from '../../../../src/core/story/story.ts';
import { collectedChanges } from '../../../../src/host/projects/takenChanges.ts';
import { aNote, aStory } from '../../../support/builders/builders.ts';
import { additions } from './heldServers.ts';

/** Stories as they are kept that came from another thread, one in each portion. */
async function taken(stories: readonly Story[]): Promise<readonly Story[]> {
  const changes = await collectedChanges({}, async ({ onStories }) => {
    for (const story of stories) await onStories?.([structuredClone(story)]);
    return additions('m1');
  });
  return changes.stories;
}

describe('Stories that come in portions', () => {
  it('are what they were', async () => {
    const stories = [
      aStory({ id: 1, labels: ['flour'], notes: [aNote()], ownedBy: 'Ada Fenn' }),
      aStory({ id: 2, state: 'accepted', type: 'a kind to come' }),
    ];
    assert.deepEqual(await taken(stories), stories);
  });

  it('share lists with nothing in them, and one moment for two that are equal', async () => {
    const [one, other] = await taken([aStory({ id: 1 }), aStory({ id: 2 })]);
    assert.ok(one && other);
    assert.equal(one.labels, other.labels);
    assert.equal(one.tasks, one.notes);
    assert.equal(one.updatedAt, one.createdAt);
    assert.notEqual(one.createdAt, other.createdAt);
  });
});
