import assert from 'node:assert/strict';
import { type PickOrder, pickRank } from '../../../../src/host/story/pickOrder.ts';
import { aStory } from '../../../support/builders/builders.ts';

const key = { accountId: 'home', projectId: 7 };

describe('The order in which stories are offered', () => {
  const stories = [
    aStory({ id: 1, state: 'accepted', ownedBy: 'Ada' }),
    aStory({ id: 2 }),
    aStory({ id: 3, state: 'delivered', ownedBy: 'Bob' }),
    aStory({ id: 4, state: 'finished', ownedBy: 'Ada' }),
    aStory({ id: 5, state: 'started', ownedBy: 'Ada' }),
    aStory({ id: 6 }),
    aStory({ id: 7 }),
    aStory({ id: 8, state: 'accepted' }),
    aStory({ id: 9, ownedBy: 'Ada' }),
  ];
  const ordered = (order: PickOrder) =>
    stories
      .map((story) => ({ key, story }))
      .toSorted((one, other) => pickRank(one, order) - pickRank(other, order))
      .map(({ story }) => story.id);
  const active = (...ids: readonly number[]) => ids.map((storyId) => ({ ...key, storyId }));

  it('begins with what is in progress and ends with what is accepted', () =>
    assert.deepEqual(ordered({}), [3, 4, 5, 2, 6, 7, 9, 1, 8]));

  it('begins with what is worked on, in the order of likelihood, then what is selected, then one’s own stories', () => {
    const order = { active: active(8, 7), selected: [6], ownNames: { home: 'Ada' } };
    assert.deepEqual(ordered(order), [8, 7, 6, 5, 4, 9, 3, 2, 1]);
  });

  it('takes no story of another account or project for one that is worked on', () => {
    const others = [
      { accountId: 'away', projectId: 7, storyId: 2 },
      { accountId: 'home', projectId: 8, storyId: 6 },
    ];
    assert.deepEqual(ordered({ active: others }), ordered({}));
    assert.deepEqual(ordered({ ownNames: { away: 'Ada' } }), ordered({}));
  });
});
