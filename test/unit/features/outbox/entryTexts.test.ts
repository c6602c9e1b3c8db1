import assert from 'node:assert/strict';
import type { Intent } from '../../../../src/core/intents/intent.ts';
import type { OutboxEntry } from '../../../../src/core/outbox/outbox.ts';
import type { StoryEdit } from '../../../../src/core/story/story.ts';
import { entryTexts } from '../../../../src/features/outbox/entryTexts.ts';
import { l10n } from '../../../support/texts/untranslated.ts';

const NAMES: Readonly<Record<number, string>> = { 1: 'Bake bread', 2: 'Sell\n bread' };
const texts = entryTexts({ l10n, env: { language: 'en-GB' } });

function assertIntent(intent: Intent, expected: string): void {
  assert.equal(
    texts.intent(intent, (id) => NAMES[id]),
    expected,
  );
}

const commit = { commitId: '1a2b3c4d5e6f', message: '[#1 #2] Heat', author: 'Ada' };
const entry = {
  id: 'a',
  place: 1,
  intent: { kind: 'comment', storyId: 1, text: '' },
  attempts: 1,
  addedAt: 0,
} as const;
const project = { accountId: 'a', address: 'https://tracker.example', projectId: 1 };

function assertState(state: Pick<OutboxEntry, 'state' | 'problem' | 'nextAt'>, now: number, expected: string): void {
  assert.equal(texts.state({ ...entry, project, ...state }, now), expected);
}

describe('An unsent change in words', () => {
  it('names stories by their names, and by their number where nobody knows one', () => {
    assertIntent({ kind: 'move', storyId: 1, place: 'before', targetId: 2 }, 'Move “Bake bread” before “Sell bread”');
    assertIntent({ kind: 'move', storyId: 1, place: 'after', targetId: 9 }, 'Move “Bake bread” after #9');
    assertIntent({ kind: 'edit', storyId: 1, edit: { state: 'started' } }, 'Change “Bake bread” to started');
    assertIntent({ kind: 'edit', storyId: 1, edit: { name: 'Cake' } }, 'Rename “Bake bread” to “Cake”');
    assertIntent({ kind: 'edit', storyId: 1, edit: { description: 'x' } }, 'Change the description of “Bake bread”');
    assertIntent({ kind: 'comment', storyId: 2, text: 'So\n be it' }, 'Comment on “Sell bread”: So be it');
    const stories = [1, 2].map((storyId) => ({ projectId: 1, storyId }));
    assertIntent({ kind: 'link', storyId: 1, stories, commit }, 'Link 1a2b3c4 to “Bake bread”, “Sell bread”');
  });

  it('tells what of a story is to be other', () => {
    const assertEdit = (edit: StoryEdit, expected: string) =>
      assertIntent({ kind: 'edit', storyId: 1, edit }, expected);
    assertEdit({ estimate: 3 }, 'Estimate “Bake bread” at 3');
    assertEdit({ estimate: null }, 'Remove the estimate from “Bake bread”');
    assertEdit({ ownedBy: 'Ada Fenn' }, 'Assign “Bake bread” to Ada Fenn');
    assertEdit({ ownedBy: null }, 'Unassign “Bake bread”');
    assertEdit({ ticket: { externalId: 'B-1' } }, 'Link “Bake bread” to ticket B-1');
    assertEdit({ ticket: null }, 'Unlink the ticket from “Bake bread”');
    const assertLabels = (add: readonly string[], remove: readonly string[], expected: string) =>
      assertIntent({ kind: 'labels', storyId: 1, change: { add, remove }, known: [] }, expected);
    assertLabels(['oven', 'rye'], [], 'Add label oven, rye to “Bake bread”');
    assertLabels([], ['rye'], 'Remove label rye from “Bake bread”');
    assertLabels(['oven'], ['rye'], 'Add label oven to “Bake bread” and remove rye');
    assertIntent({ kind: 'task', storyId: 1, taskId: 4, complete: true }, 'Complete a task of “Bake bread”');
    assertIntent({ kind: 'newTask', storyId: 1, description: 'Heat' }, 'Add a task to “Bake bread”: Heat');
    assertIntent({ kind: 'newStory', storyId: -1, story: { name: 'Cake', type: 'bug' } }, 'New bug “Cake”');
  });

  it('tells since when, and why in the words of the server', () => {
    const problem = { kind: 'refused', message: 'Frozen until Friday.' } as const;
    assertState({ state: 'waiting' }, 59_000, 'waiting · just now');
    assertState({ state: 'sending' }, 60_000, 'sending · 1 min ago');
    assertState({ state: 'failed', problem }, 3 * 3_600_000, 'failed · 3 h ago · Frozen until Friday.');
    assertState({ state: 'waiting', problem }, 72 * 3_600_000, 'waiting · 3 days ago · Frozen until Friday.');
  });

  it('tells when it is tried again, as long as that is later', () => {
    const problem = { kind: 'busy', message: 'Come back later.' } as const;
    const nextAt = new Date(1970, 0, 2, 14, 5, 30).getTime();
    const minute = 60_000;
    const since = `${Math.floor((nextAt - minute) / 3_600_000)} h ago`;
    assertState(
      { state: 'waiting', problem, nextAt },
      nextAt - minute,
      `waiting · ${since} · next attempt at 14:05 · Come back later.`,
    );
    assertState({ state: 'waiting', problem, nextAt }, nextAt, `waiting · ${since} · Come back later.`);
  });
});
