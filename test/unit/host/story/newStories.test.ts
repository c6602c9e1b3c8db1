import assert from 'node:assert/strict';
import type { EntryState, OutboxEntry } from '../../../../src/core/outbox/outbox.ts';
import { withdrawUnsent } from '../../../../src/host/story/newStories.ts';

describe('A story that no server has, taken out of the outbox', () => {
  const entry = (state: EntryState, attempts: number, storyId = -3): OutboxEntry => ({
    ...{ id: `entry ${storyId}`, place: 1, addedAt: 0, state, attempts },
    project: { baseUrl: 'https://bakery.example', token: 't', projectId: 7 } as never,
    intent: { kind: 'newStory', storyId, story: { name: 'Bake' } },
  });

  /** What the outbox shows at each look; `mayGo` says at which of its states it lets the entry go. */
  function outbox(looks: readonly (OutboxEntry | undefined)[], mayGo: (shown: OutboxEntry) => boolean) {
    let look = 0;
    let now: OutboxEntry | undefined;
    const tried: string[] = [];
    const backlogs = {
      get unsent() {
        now = looks[Math.min(look, looks.length - 1)];
        look += 1;
        return [entry('waiting', 0, -9), ...(now ? [now] : [])];
      },
      withdraw: async ([id]: readonly string[]) => {
        tried.push(`${id} ${now?.state}`);
        return now !== undefined && mayGo(now);
      },
    };
    return { backlogs, tried };
  }

  it('goes at once while nobody sends it', async () => {
    const { backlogs, tried } = outbox([entry('waiting', 0)], () => true);
    assert.equal(await withdrawUnsent(backlogs, -3), 'withdrawn');
    assert.deepEqual(tried, ['entry -3 waiting']);
  });

  it('goes after the attempt that is under way, where that never left', async () => {
    const { backlogs, tried } = outbox(
      [entry('waiting', 0), entry('sending', 1), entry('sending', 1), entry('waiting', 1)],
      ({ attempts }) => attempts === 1,
    );
    assert.equal(await withdrawUnsent(backlogs, -3), 'withdrawn');
    assert.deepEqual(tried, ['entry -3 waiting', 'entry -3 waiting']);
  });

  it('is left where it was sent by then', async () => {
    const { backlogs, tried } = outbox([entry('sending', 1), undefined], () => true);
    assert.equal(await withdrawUnsent(backlogs, -3), 'sent');
    assert.deepEqual(tried, []);
  });

  it('is left where its server may have heard of it', async () => {
    const { backlogs, tried } = outbox([entry('waiting', 1)], () => false);
    assert.equal(await withdrawUnsent(backlogs, -3), 'heard');
    assert.deepEqual(tried, ['entry -3 waiting'], 'asked once');
  });

  it('is left where an attempt takes too long', async () => {
    const { backlogs } = outbox([entry('sending', 1)], () => true);
    assert.equal(await withdrawUnsent(backlogs, -3, 100), 'sending');
  });
});
