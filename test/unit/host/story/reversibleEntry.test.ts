import assert from 'node:assert/strict';
import { TrackerError, type TrackerErrorKind } from '../../../../src/core/errors.ts';
import { doReversibly } from '../../../../src/host/story/reversibleEntry.ts';
import { UndoHistory } from '../../../../src/host/story/undoHistory.ts';

const about = { key: { accountId: 'a', projectId: 7 }, storyIds: [12] };

describe('What is done and has another deed as its undo', () => {
  let history: UndoHistory;
  let undone: string[];
  beforeEach(() => {
    history = new UndoHistory(async () => true);
    undone = [];
  });

  async function did(name: string, refusal?: TrackerErrorKind): Promise<void> {
    const undo = async () => {
      if (refusal) throw new TrackerError(refusal, `No: ${refusal}.`);
      undone.push(name);
      return { done: name };
    };
    const deed = Promise.resolve({ done: name });
    const step = (go: () => Promise<{ readonly done: string }>) => ({ go, toValue: () => assert.fail() });
    await doReversibly(history, about, deed, { undo: step(undo), redo: step(async () => ({ done: name })) });
  }

  it('makes room for what was done before where it is gone or was changed by someone else', async () => {
    for (const refusal of ['notFound', 'conflict'] as const) {
      await did('before');
      await did('after', refusal);
      await assert.rejects(history.retrace('undo'), { message: `No: ${refusal}.` });
      assert.ok(await history.retrace('undo'), refusal);
    }
    assert.deepEqual(undone, ['before', 'before']);
  });

  it('stays where it may be undone another time', async () => {
    await did('before');
    await did('after', 'unreachable');
    for (const _ of [1, 2]) await assert.rejects(history.retrace('undo'), { message: 'No: unreachable.' });
    assert.deepEqual(undone, []);
  });
});
