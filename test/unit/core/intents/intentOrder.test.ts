import assert from 'node:assert/strict';
import type { Intent } from '../../../../src/core/intents/intent.ts';
import { isOrderKept } from '../../../../src/core/intents/intentRules.ts';

const move = (storyId: number, targetId: number): Intent => ({ kind: 'move', storyId, place: 'before', targetId });
const rename = (storyId: number): Intent => ({ kind: 'edit', storyId, edit: { name: 'New' } });
const start = (storyId: number): Intent => ({ kind: 'edit', storyId, edit: { state: 'started' } });
const comment = (storyId: number): Intent => ({ kind: 'comment', storyId, text: 'Yes' });
const link = (...storyIds: readonly number[]): Intent => ({
  ...{ kind: 'link', storyId: storyIds[0] ?? 0 },
  stories: storyIds.map((storyId) => ({ projectId: 1, storyId })),
  commit: { commitId: 'a1b2', message: '', author: 'Ada' },
});

function assertKept(one: Intent, other: Intent, isKept: boolean): void {
  assert.equal(isOrderKept(one, other), isKept);
  assert.equal(isOrderKept(other, one), isKept, 'seen from the other');
}

describe('The order of two wishes', () => {
  it('matters between moves, of whatever stories', () => assertKept(move(1, 2), move(3, 4), true));
  it('matters within a story', () => {
    assertKept(rename(1), start(1), true);
    assertKept(comment(1), comment(1), true);
    assertKept(link(1), comment(1), true);
    assertKept(link(2, 1), start(1), true);
  });
  it('matters to a move where a story may come into the backlog or leave it', () => {
    assertKept(move(1, 2), start(1), true);
    assertKept(move(1, 2), start(2), true);
  });
  it('does not matter elsewhere', () => {
    assertKept(move(1, 2), comment(1), false);
    assertKept(move(1, 2), link(1), false);
    assertKept(move(1, 2), rename(1), false);
    assertKept(comment(1), comment(2), false);
    assertKept(comment(1), rename(1), false);
    assertKept(link(1, 2), link(3), false);
  });
});
