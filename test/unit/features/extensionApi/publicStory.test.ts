import assert from 'node:assert/strict';
import { UNESTIMATED } from '../../../../src/core/story/story.ts';
import { publicDetails, publicStory } from '../../../../src/features/extensionApi/publicStory.ts';
import { aDate, aStory } from '../../../support/builders/builders.ts';

const place = { projectId: 7, projectName: 'Bakery', server: 'https://tracker.example' };

describe('stories as other extensions have them', () => {
  it('have the fields of the API and no others, absent where there is nothing', () => {
    const full = aStory({
      id: 12,
      name: 'Bake',
      type: 'bug',
      state: 'started',
      estimate: 3,
      ownedBy: 'Ada',
      labels: ['oven'],
      rank: 'a1',
      updatedAt: aDate('2026-03-01T00:00:00Z'),
      deadline: { text: 'some day' },
    });
    const { createdAt: _, requester: __, url: ___, ...story } = publicStory(full, place);
    const [storyId, updatedAt] = [12, Date.UTC(2026, 2, 1)];
    const texts = { name: 'Bake', type: 'bug', state: 'started', points: 3, owner: 'Ada', labels: ['oven'] };
    assert.deepEqual(story, { storyId, ...place, ...texts, updatedAt });
    assert.ok(!('points' in publicStory(aStory({ estimate: UNESTIMATED }), place)));
  });

  it('are frozen to the bottom, and no part of the story itself', () => {
    const story = aStory({
      description: 'Warm',
      labels: ['oven'],
      notes: [{ id: 1, text: 'Yes' }],
      tasks: [{ id: 2, description: 'Heat', complete: false }],
    });
    const details = publicDetails(story, place);
    const frozen = [details, details.labels, details.tasks, details.comments, ...details.tasks, ...details.comments];
    assert.ok(frozen.every((part) => Object.isFrozen(part)));
    assert.ok(details.labels !== story.labels);
    assert.deepEqual(details.tasks, [{ taskId: 2, description: 'Heat', isComplete: false }]);
    assert.deepEqual(details.comments, [{ commentId: 1, text: 'Yes' }]);
    assert.equal(details.description, 'Warm');
  });
});
