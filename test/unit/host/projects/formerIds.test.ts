import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { RenumberedStory } from '../../../../src/core/story/importReport.ts';
import { FormerIds } from '../../../../src/host/projects/formerIds.ts';
import { away, FakeAccounts, HeldCalls, key, RememberingLog, settled } from './heldServers.ts';

describe('IDs that stories had elsewhere', () => {
  let calls: HeldCalls<string, readonly RenumberedStory[]>;
  let formerIds: FormerIds;
  /** Milliseconds on a clock that nobody sets. */
  let now = 0;

  beforeEach(() => {
    mock.method(performance, 'now', () => now);
    calls = new HeldCalls();
    const accounts = new FakeAccounts();
    accounts.trackers = (accountId) => ({ renumberedStories: () => calls.ask(accountId) });
    formerIds = new FormerIds({ accounts, log: new RememberingLog() });
  });
  afterEach(() => {
    mock.restoreAll();
    formerIds.dispose();
  });

  const other = { ...key, projectId: 2 };

  it('are asked for again after a minute where the server was away', async () => {
    const reading = formerIds.read([key]);
    await calls.fail(away);
    await reading;
    await formerIds.read([key]);
    assert.equal(calls.asked.length, 1);
    now += 60_001;
    const again = formerIds.read([key]);
    await calls.answer([{ formerId: 7, storyId: 12, projectId: 1 }]);
    await again;
    now += 600_000;
    await formerIds.read([key]);
    assert.equal(calls.asked.length, 2);
    assert.deepEqual(formerIds.storiesOf(7), [{ key, storyId: 12 }]);
  });

  it('are asked for again where the account has other projects, and keep what was known until then', async () => {
    void formerIds.read([key]);
    await calls.answer([{ formerId: 7, storyId: 12, projectId: 1 }]);
    void formerIds.read([other, key]);
    void formerIds.read([key, other]);
    await settled();
    assert.deepEqual([calls.asked.length, formerIds.storiesOf(7).length], [2, 1]);
    await calls.answer([{ formerId: 8, storyId: 13, projectId: 2 }]);
    assert.deepEqual([formerIds.storiesOf(7), formerIds.storiesOf(8)], [[], [{ key: other, storyId: 13 }]]);
  });

  it('are what was asked for last, whichever answer comes first', async () => {
    void formerIds.read([key]);
    void formerIds.read([key, other]);
    await calls.answer([{ formerId: 7, storyId: 20, projectId: 1 }], 1);
    await calls.answer([{ formerId: 7, storyId: 12, projectId: 1 }]);
    assert.deepEqual(formerIds.storiesOf(7), [{ key, storyId: 20 }]);
  });
});
