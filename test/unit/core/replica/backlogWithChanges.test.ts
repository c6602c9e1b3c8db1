import assert from 'node:assert/strict';
import type { Backlog } from '../../../../src/core/backlog/backlog.ts';
import { listsOf } from '../../../../src/core/replica/backlogWithChanges.ts';
import type { BacklogChanges } from '../../../../src/core/replica/replica.ts';
import { aProject, aStory, someStories } from '../../../support/builders/builders.ts';
import { backlogWithChanges } from '../../../support/replica/client.ts';

const project = aProject();
const before: Backlog = {
  project,
  iterations: [
    { id: 3, number: 3, stories: someStories(1, 2) },
    { id: 4, number: 4, stories: someStories(3) },
  ],
  icebox: someStories(4),
  done: [{ id: 2, number: 2, stories: someStories(5) }],
};

function after(changes: Partial<BacklogChanges>): Backlog {
  return backlogWithChanges(before, { mark: 'x', isWhole: false, readAt: 0, project, stories: [], ...changes });
}

describe('backlogWithChanges', () => {
  it('gives the very same backlog when nothing changed', () => {
    assert.equal(after({}), before);
    assert.equal(after({ project: { ...project }, lists: listsOf(before) }), before);
  });

  it('puts a newer story in its place and leaves all other iterations as they are', () => {
    const renamed = aStory({ id: 3, name: 'Renamed' });
    const now = after({ stories: [renamed] });
    assert.deepEqual(now.iterations[1]?.stories, [renamed]);
    assert.equal(now.iterations[0], before.iterations[0]);
    assert.equal(now.icebox, before.icebox);
    assert.equal(now.done[0], before.done[0]);
  });

  it('follows new lists with the stories that it has and those that came', () => {
    const lists = listsOf(before);
    const [first, second] = lists.iterations;
    assert.ok(first && second);
    const moved = {
      ...lists,
      iterations: [
        { ...first, storyIds: [2, 1] },
        { ...second, storyIds: [6] },
      ],
      icebox: [3, 4],
    };
    const now = after({ lists: moved, stories: [aStory({ id: 6 })] });
    const ids = [...now.iterations.map(({ stories }) => stories), now.icebox].map((list) => list.map(({ id }) => id));
    assert.deepEqual(ids, [[2, 1], [6], [3, 4]]);
    assert.equal(now.done[0], before.done[0]);
    assert.equal(now.icebox[1], before.icebox[0]);
  });

  it('keeps done iterations by their number when older ones come before them', () => {
    const lists = listsOf(before);
    const done = [{ id: 1, number: 1, storyIds: [7] }, ...lists.done];
    const now = after({ lists: { ...lists, done }, stories: [aStory({ id: 7 })] });
    assert.equal(now.done[1], before.done[0]);
    assert.equal(now.iterations[0], before.iterations[0]);
  });

  it('leaves nothing of before in a whole one, nor that something was missing', () => {
    const part = { ...before, missing: {} };
    const changes = {
      mark: 'x',
      isWhole: true,
      readAt: 0,
      project,
      lists: listsOf(before),
      stories: someStories(1, 4),
    };
    const now = backlogWithChanges(part, changes);
    assert.deepEqual(now, {
      project,
      iterations: [
        { id: 3, number: 3, stories: someStories(1) },
        { id: 4, number: 4, stories: [] },
      ],
      icebox: someStories(4),
      done: [{ id: 2, number: 2, stories: [] }],
    });
  });
});
