import assert from 'node:assert/strict';
import { editedStory } from '../../../../src/core/intents/edit.ts';
import type { Intent } from '../../../../src/core/intents/intent.ts';
import { isAsLeft, reversedIntent } from '../../../../src/core/intents/intentRules.ts';
import { withLabels } from '../../../../src/core/intents/labels.ts';
import type { Story, StoryEdit } from '../../../../src/core/story/story.ts';
import { aDate, aStory, aTask } from '../../../support/builders/builders.ts';

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

  it('gives back what a story loses with its type, unless that is set too', () => {
    const deadline = aDate('2026-12-24');
    assertReversed({ estimate: 2 }, edit({ type: 'chore' }), edit({ estimate: 2, type: 'feature' }));
    assertReversed(
      { type: 'release', estimate: -1, deadline },
      edit({ type: 'bug' }),
      edit({ deadline, type: 'release' }),
    );
    assertReversed({ estimate: 2 }, edit({ type: 'feature' }), edit({ type: 'feature' }));
    assertReversed({ estimate: -1 }, edit({ type: 'chore' }), edit({ type: 'feature' }));
  });

  it('gives back when a story was accepted', () => {
    const accepted = { state: 'accepted', acceptedAt: aDate('2026-01-15') };
    const acceptedAgain = edit(accepted);
    assertReversed(accepted, edit({ state: 'started' }), acceptedAgain);
    assertReversed(accepted, edit({ state: 'accepted' }), edit({ state: 'accepted' }));
    assertReversed(accepted, edit({ name: 'Other' }), edit({ name: aStory().name }));
    assertReversed({ state: 'delivered' }, edit({ state: 'accepted' }), edit({ state: 'delivered' }));
    assert.equal(isAsLeft(aStory({ state: 'accepted', acceptedAt: aDate('2026-02-01') }), acceptedAgain), true);
  });

  it('leaves a task ticked that was so before', () => {
    const tick = { kind: 'task', storyId: 12, taskId: 61, complete: true } as const;
    assertReversed({ tasks: [aTask({ id: 61, complete: false })] }, tick, { ...tick, complete: false });
    assertReversed({ tasks: [aTask({ id: 61, complete: true })] }, tick, tick);
  });

  it('is, of labels, about those that came and went', () => {
    assertReversed({ labels: ['a', 'b'] }, labels(['b', 'c'], ['a', 'x'], []), labels(['a'], ['c'], ['b', 'c']));
  });

  it('gives a label back its capital letters', () => {
    const change = labels(['API'], ['api'], []);
    const before = aStory({ labels: ['api', 'z'] });
    const after = { ...before, labels: withLabels(before.labels, { add: ['API'], remove: ['api'] }) };
    assert.deepEqual(after.labels, ['z', 'API']);
    assert.equal(isAsLeft(after, change), true);
    assertReversed(before, change, labels(['api'], ['API'], ['z', 'API']));
    assert.deepEqual(withLabels(after.labels, { add: ['api'], remove: ['API'] }), ['z', 'api']);
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
    const odd = edit({ ticket: { externalId: 'B\u0000-1' } });
    assert.equal(isAsLeft(aStory({ ticket: { prefix: 'jira', externalId: 'B\ufffd-1' } }), odd), true);
    assert.equal(isAsLeft(aStory({ labels: ['a', 'z'] }), labels(['a'], ['b'], [])), true);
    assert.equal(isAsLeft(aStory({ labels: ['z'] }), labels(['a'], ['b'], [])), false);
    const tick = { kind: 'task', storyId: 12, taskId: 61, complete: true } as const;
    assert.equal(isAsLeft(aStory({ tasks: [aTask({ id: 61, complete: true })] }), tick), true);
    assert.equal(isAsLeft(aStory({ tasks: [] }), tick), false);
  });

  it('is done where a server keeps the same in its own way', () => {
    for (const [written, kept] of writtenAndKept) {
      assert.equal(isAsLeft(aStory({ name: kept }), edit({ name: written })), true, 'name');
      assert.equal(isAsLeft(aStory({ description: kept }), edit({ description: written })), true, 'description');
      assert.equal(isAsLeft(aStory({ labels: ['b', kept] }), labels([written], [], [])), true, 'labels');
      const task = { kind: 'editTask', storyId: 12, taskId: 61, description: written, known: 'x' } as const;
      assert.equal(isAsLeft(aStory({ tasks: [aTask({ id: 61, description: kept })] }), task), true, 'task');
    }
    const day = { text: '2026/12/24 12:00:00 UTC', time: Date.UTC(2026, 11, 24, 12) };
    const sameDay = { text: '2026/12/24 00:00:00 PST', time: Date.UTC(2026, 11, 24, 8) };
    assert.equal(isAsLeft(aStory({ deadline: sameDay }), edit({ deadline: day })), true);
    assert.equal(isAsLeft(aStory({ labels: ['a', 'b'] }), edit({ labels: ['B', 'a'] })), true);
    assert.equal(isAsLeft(aStory({ description: 'Theirs' }), edit({ description: 'Mine' })), false);
  });
});

/** Trimmed, with line feeds only, and without what XML cannot hold. */
const writtenAndKept = [
  ['\n Mine \n\n', 'Mine'],
  ['One\r\ntwo\rthree', 'One\ntwo\nthree'],
  ['a\0b\u001b', 'a\ufffdb\ufffd'],
  ['\ud83d', '\ufffd'],
] as const;
