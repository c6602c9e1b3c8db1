import assert from 'node:assert/strict';
import type { Intent } from '../../../../src/core/intents/intent.ts';
import { IntendedBacklogs } from '../../../../src/host/projects/intendedBacklogs.ts';
import { aBacklog, anIteration, aStory } from '../../../support/builders/builders.ts';

const key = { accountId: 'one', projectId: 1 };
const backlog = aBacklog({ iterations: [anIteration({ stories: [aStory({ id: 1 }), aStory({ id: 2 })] })] });
const move: Intent = { kind: 'move', storyId: 2, place: 'before', targetId: 1 };
const comment: Intent = { kind: 'comment', storyId: 2, text: 'Done.' };
const entry = (intent: Intent) => ({ id: 'e1', intent: structuredClone(intent), place: 7, state: 'waiting' as const });

describe('A backlog with what is unsent on it', () => {
  it('stays the same when a draft of a move comes into the outbox', () => {
    const intended = new IntendedBacklogs();
    const drafted = intended.withUnsent(key, backlog, [{ intent: move, place: 99 }]);
    assert.equal(intended.withUnsent(key, backlog, [entry(move)]), drafted);
  });

  it('becomes another where the place in the outbox shows, where something else is wanted, or has to wait', () => {
    const intended = new IntendedBacklogs();
    const drafted = intended.withUnsent(key, backlog, [{ intent: comment, place: 99 }]);
    assert.notEqual(intended.withUnsent(key, backlog, [entry(comment)]), drafted);
    const moved = intended.withUnsent(key, backlog, [{ intent: move, place: 99 }]);
    assert.notEqual(intended.withUnsent(key, backlog, [entry({ ...move, place: 'after' })]), moved);
    intended.withUnsent(key, backlog, [{ intent: move, place: 99 }]);
    const problem = { kind: 'unreachable', message: 'Away.' } as const;
    const waiting = intended.withUnsent(key, backlog, [{ ...entry(move), problem }]);
    assert.ok(waiting.iterations[0]?.stories.some((story) => 'isUnsent' in story));
  });
});
