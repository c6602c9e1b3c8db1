import assert from 'node:assert/strict';
import { editedStory } from '../../../../src/core/intents/editedStory.ts';
import type { Intent } from '../../../../src/core/intents/intent.ts';
import { isAsLeft, reversedIntent } from '../../../../src/core/intents/intentRules.ts';
import type { Story, StoryEdit } from '../../../../src/core/story/story.ts';
import { aStory, aTask } from '../../../support/builders/builders.ts';

const edit = (wanted: StoryEdit): Intent => ({ kind: 'edit', storyId: 12, edit: wanted });
const labels = (add: readonly string[], remove: readonly string[], known: readonly string[]): Intent => ({
  ...{ kind: 'labels', storyId: 12, known },
  change: { add, remove },
});

function assertReversed(story: Partial<Story>, intent: Intent, expected: Intent | undefined): void {
  assert.deepEqual(reversedIntent(aStory(story), intent), expected);
}

describe('What takes a change back', () => {
  it('gives fields the values they had, and clears those that there were not', () => {
    assertReversed({ state: 'started' }, edit({ state: 'finished' }), edit({ state: 'started' }));
    assertReversed(
      { estimate: -1 },
      edit({ state: 'started', estimate: 3 }),
      edit({ state: 'unstarted', estimate: null }),
    );
    assertReversed({}, edit({ ownedBy: 'Bo' }), edit({ ownedBy: null }));
    assertReversed({ ownedBy: 'Ada' }, edit({ ownedBy: null }), edit({ ownedBy: 'Ada' }));
  });

  it('links the ticket that there was, by what a server is told', () => {
    const ticket = { prefix: 'jira', externalId: 'B-1', integrationId: 3 };
    assertReversed({ ticket: { ...ticket, url: 'https://x.test' } }, edit({ ticket: null }), edit({ ticket }));
    assertReversed({}, edit({ ticket }), edit({ ticket: null }));
  });

  it('is, of labels, about those that came and went', () => {
    assertReversed({ labels: ['a', 'b'] }, labels(['b', 'c'], ['a', 'x'], []), labels(['a'], ['c'], ['b', 'c']));
  });

  it('is nothing for what stays', () => {
    assertReversed({}, { kind: 'comment', storyId: 12, text: 'Yes' }, undefined);
    assertReversed({}, { kind: 'newTask', storyId: 12, description: 'Yes' }, undefined);
  });

  it('is done only where nobody else has changed the same since', () => {
    const wanted = edit({ state: 'started', estimate: null, ticket: { externalId: 'B-1' } });
    const after = editedStory(aStory(), { state: 'started', estimate: null, ticket: { externalId: 'B-1' } });
    assert.equal(isAsLeft({ ...after, name: 'Other', estimate: -1 }, wanted), true);
    assert.equal(isAsLeft({ ...after, state: 'finished' }, wanted), false);
    assert.equal(isAsLeft({ ...after, ticket: { prefix: 'jira', externalId: 'B-2' } }, wanted), false);
    assert.equal(isAsLeft(aStory({ labels: ['a', 'z'] }), labels(['a'], ['b'], [])), true);
    assert.equal(isAsLeft(aStory({ labels: ['z'] }), labels(['a'], ['b'], [])), false);
    const tick = { kind: 'task', storyId: 12, taskId: 61, complete: true } as const;
    assert.equal(isAsLeft(aStory({ tasks: [aTask({ id: 61, complete: true })] }), tick), true);
    assert.equal(isAsLeft(aStory({ tasks: [] }), tick), false);
  });
});
