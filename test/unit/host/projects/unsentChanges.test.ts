import assert from 'node:assert/strict';
import type { Intent } from '../../../../src/core/intents/intent.ts';
import type { OutboxEntry } from '../../../../src/core/outbox/outbox.ts';
import { UnsentChanges } from '../../../../src/host/projects/unsentChanges.ts';
import { aBacklog, anIteration, aStory } from '../../../support/builders/builders.ts';

const key = { accountId: 'one', projectId: 1 };
const backlog = aBacklog({ iterations: [anIteration({ stories: [aStory({ id: 1 }), aStory({ id: 2 })] })] });
const move: Intent = { kind: 'move', storyId: 2, place: 'before', targetId: 1 };
const comment: Intent = { kind: 'comment', storyId: 2, text: 'Done.' };
const entry = (intent: Intent): OutboxEntry => ({
  ...{ id: 'e1', place: 7, state: 'waiting', addedAt: 0, attempts: 0 },
  project: { ...key, address: 'https://one.example' },
  intent: structuredClone(intent),
});

/** How the backlog looks while the intent is a draft, and once it is this entry of the outbox instead. */
function draftedAndEntered(intent: Intent, entered: OutboxEntry) {
  const unsent = new UnsentChanges();
  const own = unsent.ownOf(key);
  const drafts = own.draft([intent]);
  const drafted = unsent.applied(key, backlog);
  own.forgetDrafts(drafts);
  own.await([entered]);
  return [drafted, unsent.applied(key, backlog)] as const;
}

describe('A backlog with what is unsent on it', () => {
  it('stays the same when a draft of a move comes into the outbox', () => {
    const [drafted, inOutbox] = draftedAndEntered(move, entry(move));
    assert.equal(inOutbox, drafted);
  });

  it('becomes another where the place in the outbox shows, where something else is wanted, or has to wait', () => {
    const [drafted, inOutbox] = draftedAndEntered(comment, entry(comment));
    assert.notEqual(inOutbox, drafted);
    const [moved, otherwise] = draftedAndEntered(move, entry({ ...move, place: 'after' }));
    assert.notEqual(otherwise, moved);
    const problem = { kind: 'unreachable', message: 'Away.' } as const;
    const [, waiting] = draftedAndEntered(move, { ...entry(move), problem });
    assert.ok(waiting.iterations[0]?.stories.some((story) => 'isUnsent' in story));
  });
});
