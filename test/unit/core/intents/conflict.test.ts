import assert from 'node:assert/strict';
import { conflictWith } from '../../../../src/core/intents/conflict.ts';
import { aDate, aStory, aTask } from '../../../support/builders/builders.ts';
import { oneIntentOfEach } from '../../../support/builders/intents.ts';

describe('What an unsent change would overwrite', () => {
  const story = aStory({
    name: 'Theirs',
    estimate: -1,
    labels: ['a', 'b'],
    deadline: aDate('2026-12-24'),
    description: 'Same',
  });

  it('is told field by field, as people write it', () => {
    const edit = { name: 'Mine', estimate: 3, labels: [], deadline: null, description: 'Same', ownedBy: 'Bo' };
    const conflict = conflictWith(story, { kind: 'edit', storyId: 12, edit });
    assert.deepEqual(conflict?.texts, [
      { what: 'name', mine: 'Mine', theirs: 'Theirs' },
      { what: 'estimate', mine: '3', theirs: '' },
      { what: 'labels', mine: '', theirs: 'a, b' },
      { what: 'deadline', mine: '', theirs: 'Dec 24, 2026' },
      { what: 'owner', mine: 'Bo', theirs: '' },
    ]);
    const known = {
      name: 'Theirs',
      estimate: null,
      labels: ['a', 'b'],
      deadline: aDate('2026-12-24'),
      description: 'Same',
      ownedBy: null,
    };
    assert.deepEqual(conflict.keepMine, { kind: 'edit', storyId: 12, edit, known });
  });

  it('is told of a task, and one that is gone is made anew', () => {
    const intent = { ...oneIntentOfEach.editTask, storyId: 12 };
    const task = aTask({ id: intent.taskId, description: 'Theirs' });
    assert.deepEqual(conflictWith({ ...story, tasks: [task] }, intent), {
      texts: [{ what: 'task', mine: 'Draw', theirs: 'Theirs' }],
      keepMine: { ...intent, known: 'Theirs' },
    });
    assert.deepEqual(conflictWith(story, intent), {
      texts: [{ what: 'task', mine: 'Draw' }],
      keepMine: { kind: 'newTask', storyId: 12, description: 'Draw' },
    });
  });

  it('is nothing where both have come to the same, and for what overwrites nothing', () => {
    assert.deepEqual(conflictWith(story, { kind: 'edit', storyId: 12, edit: { name: 'Theirs' } })?.texts, []);
    for (const kind of ['comment', 'move', 'labels', 'deleteStory', 'moveTask'] as const) {
      assert.equal(conflictWith(story, oneIntentOfEach[kind]), undefined, kind);
    }
  });
});
