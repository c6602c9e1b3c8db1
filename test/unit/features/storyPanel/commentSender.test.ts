import assert from 'node:assert/strict';
import { TrackerError, type TrackerErrorKind } from '../../../../src/core/errors.ts';
import type { Note } from '../../../../src/core/story.ts';
import { CommentSender } from '../../../../src/features/storyPanel/commentSender.ts';

describe('Sending a comment', () => {
  let notes: Note[];
  let trouble: { readonly kind: TrackerErrorKind; readonly taken: boolean } | undefined;
  let sender: CommentSender;
  const texts = () => notes.map(({ text }) => text);

  beforeEach(() => {
    notes = [{ id: 1, text: 'Old' }];
    trouble = undefined;
    sender = new CommentSender({
      list: async () => [...notes],
      add: async (text) => {
        const met = trouble;
        trouble = undefined;
        if (!met || met.taken) notes.push({ id: notes.length + 1, text });
        if (met) throw new TrackerError(met.kind, 'Trouble.');
      },
    });
  });

  it('adds it, also one that says what another says', async () => {
    await sender.send('Old');
    await sender.send('Old');
    assert.deepEqual(texts(), ['Old', 'Old', 'Old']);
  });

  it('does not double one whose answer got lost', async () => {
    trouble = { kind: 'unreachable', taken: true };
    await assert.rejects(sender.send('New'), /Trouble/);
    await sender.send('New');
    assert.deepEqual(texts(), ['Old', 'New']);
  });

  it('sends one again that never arrived', async () => {
    trouble = { kind: 'timeout', taken: false };
    await assert.rejects(sender.send('Old'), /Trouble/);
    await sender.send('Old');
    assert.deepEqual(texts(), ['Old', 'Old']);
  });

  it('sends one again that was refused', async () => {
    trouble = { kind: 'refused', taken: false };
    await assert.rejects(sender.send('New'), /Trouble/);
    await sender.send('New');
    assert.deepEqual(texts(), ['Old', 'New']);
  });
});
