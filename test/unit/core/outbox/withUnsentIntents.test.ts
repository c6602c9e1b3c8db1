import assert from 'node:assert/strict';
import { storiesOf } from '../../../../src/core/backlog/backlog.ts';
import { isUnsent } from '../../../../src/core/intents/edit.ts';
import type { Intent } from '../../../../src/core/intents/intent.ts';
import { commitOf, type UnsentIntent, withUnsentIntents } from '../../../../src/core/outbox/withUnsentIntents.ts';
import { aBacklog, aNote, anIteration, aStory } from '../../../support/builders/builders.ts';

const HASH = 'c0ffee12'.repeat(5);
/** But for the message and its author. */
function shown(text: string) {
  const found = commitOf(aNote({ text }));
  if (!found) return undefined;
  const { message: _, author: __, ...commit } = found;
  return commit;
}

describe('A commit on a story', () => {
  it('is read from the comment that our service leaves', () => {
    const url = `https://code.example/c/${HASH}`;
    const linked = { state: 'linked', hash: HASH, subject: 'Bake' };
    assert.deepEqual(shown(`Commit by Ada\n${url}\n\nBake\n\n[fixes #12]`), { ...linked, url });
    assert.deepEqual(shown(`Commit by Ada\n${HASH}\n\nBake\n\nSee https://other.example [fixes #12]`), linked);
    const page = 'https://code.example/log';
    assert.deepEqual(shown(`Commit by Ada\n${HASH} ${page}\n\nBake\n\n[#12]`), { ...linked, url: page });
    assert.equal(shown('Commit by Ada\nr4711\n\nBake [#12]')?.hash, 'r4711');
  });

  it('has the message and the author that made it, without what our service puts before them', () => {
    const messageOf = (text: string) => {
      const { message, author } = commitOf(aNote({ text, author: 'Bo' })) ?? {};
      return [message, author];
    };
    assert.deepEqual(messageOf(`Commit by Ada\n${HASH}\n\nBake\n\n[#12]`), ['Bake\n\n[#12]', 'Ada']);
    assert.deepEqual(messageOf('Ada committed:\n\nBake [#12]'), ['Ada committed:\n\nBake [#12]', undefined]);
  });

  it('is looked for in the beginning of a long comment only', () => {
    const message = `Commit by Ada\n${HASH}\n\nBake [#12]`;
    assert.deepEqual(shown(`${message}\n${'[#1]('.repeat(60_000)}`), {
      state: 'linked',
      hash: HASH,
      subject: 'Bake [#12]',
    });
    assert.equal(shown(`${'A long story. '.repeat(20_000)}[#12]`), undefined);
  });

  it('is read from what other servers write, and is none in what people write', () => {
    const text = `Ada committed ${HASH}:\n\nBake [#12]`;
    assert.deepEqual(shown(text), { state: 'linked', hash: HASH, subject: 'Bake [#12]' });
    assert.equal(shown('Do not commit this before #12.'), undefined);
  });

  const link: Intent = {
    ...{ kind: 'link', storyId: 11, stories: [11, 12].map((storyId) => ({ projectId: 1, storyId })) },
    commit: { commitId: HASH, message: 'Bake\n\n[#11 #12]', author: 'Ada', url: 'https://code.example/c/1' },
  };
  const before = aBacklog({
    iterations: [anIteration({ stories: [11, 12].map((id) => aStory({ id, projectId: 1, notes: [] })) })],
  });

  function statesOf(unsent: Partial<UnsentIntent>, backlog = before) {
    const result = withUnsentIntents(backlog, [{ intent: link, place: 3, id: 'a', ...unsent }]);
    return storiesOf(result).map((story) => [story.notes.map((note) => commitOf(note)?.state), isUnsent(story)]);
  }

  it('stands on each of its stories while it is on its way, and when it failed', () => {
    assert.deepEqual(statesOf({}), [
      [['waiting'], false],
      [['waiting'], false],
    ]);
    assert.deepEqual(statesOf({ state: 'sending' })[0], [['sending'], false]);
    const problem = { kind: 'refused', message: 'Frozen until Friday.' } as const;
    assert.deepEqual(statesOf({ state: 'failed', problem })[0], [['failed'], false]);
    const result = withUnsentIntents(before, [{ intent: link, place: 3, id: 'a', state: 'failed', problem }]);
    const [note] = storiesOf(result)[0]?.notes ?? [];
    assert.deepEqual(note && commitOf(note), {
      ...{ state: 'failed', hash: HASH, subject: 'Bake', url: 'https://code.example/c/1' },
      ...{ message: 'Bake\n\n[#11 #12]', author: 'Ada', problem: 'Frozen until Friday.', entryId: 'a' },
    });
  });

  it('stands there once, as linked, when the server shows it', () => {
    const notes = [aNote({ text: `Commit by Ada\n${HASH}\n\nBake [#11]` })];
    const stories = [aStory({ id: 11, projectId: 1, notes }), aStory({ id: 12, projectId: 1, notes: [] })];
    const states = statesOf({ state: 'failed' }, aBacklog({ iterations: [anIteration({ stories })] }));
    assert.deepEqual(states, [
      [['linked'], false],
      [['failed'], false],
    ]);
  });
});
