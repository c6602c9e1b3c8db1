import assert from 'node:assert/strict';
import { UploadsUnderWay } from '../../../../../src/features/attachments/send/uploadsUnderWay.ts';

const NAME = 'storyTracker.uploads';

describe('UploadsUnderWay', () => {
  const upload = (storyId: number) => ({
    key: { accountId: 'a', projectId: 1 },
    storyId,
    before: [7],
    files: [{ filename: 'a.txt', uri: 'file:///a.txt' }, { filename: 'pasted.png' }],
  });

  function memoryWith(value?: unknown) {
    const kept = new Map<string, unknown>(value === undefined ? [] : [[NAME, value]]);
    return {
      kept,
      get: (name: string) => kept.get(name),
      // As VS Code keeps it: as text.
      update: async (name: string, given: unknown) =>
        void (given === undefined ? kept.delete(name) : kept.set(name, JSON.parse(JSON.stringify(given)))),
    };
  }

  it('remember what a window that closed left, and tell of it once', async () => {
    const memory = memoryWith();
    const window = new UploadsUnderWay(memory, NAME);
    await window.begin(upload(1));
    const end = await window.begin(upload(2));
    end();
    const next = new UploadsUnderWay(memory, NAME);
    assert.deepEqual(next.takeLeft(), [upload(1)]);
    assert.deepEqual(next.takeLeft(), []);
    assert.deepEqual(new UploadsUnderWay(memory, NAME).takeLeft(), []);
  });

  it('remember what ends because the window closes', async () => {
    const memory = memoryWith();
    const window = new UploadsUnderWay(memory, NAME);
    const end = await window.begin(upload(1));
    window.close();
    end();
    assert.deepEqual(new UploadsUnderWay(memory, NAME).takeLeft(), [upload(1)]);
  });

  it('remember nothing once all is done', async () => {
    const memory = memoryWith();
    const window = new UploadsUnderWay(memory, NAME);
    const ends = await Promise.all([upload(1), upload(2)].map((one) => window.begin(one)));
    for (const end of ends) end();
    assert.equal(memory.kept.size, 0);
  });

  it('keep what is under way while they tell of what was left', async () => {
    const memory = memoryWith([upload(1)]);
    const window = new UploadsUnderWay(memory, NAME);
    await window.begin(upload(2));
    assert.deepEqual(window.takeLeft(), [upload(1)]);
    assert.deepEqual(new UploadsUnderWay(memory, NAME).takeLeft(), [upload(2)]);
  });

  it('pass over what they never wrote', () => {
    for (const strange of ['x', 1, {}, [null, 1, {}, { ...upload(1), files: [] }, { ...upload(1), key: 'a' }]]) {
      assert.deepEqual(new UploadsUnderWay(memoryWith(strange), NAME).takeLeft(), []);
    }
  });
});
