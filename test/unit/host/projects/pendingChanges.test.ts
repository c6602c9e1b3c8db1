import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { type Backlog, findStory } from '../../../../src/core/backlog/backlog.ts';
import { TrackerError } from '../../../../src/core/errors.ts';
import { isUnsent } from '../../../../src/core/intents/edit.ts';
import type { Intent } from '../../../../src/core/intents/intent.ts';
import type { Outcome } from '../../../../src/core/outbox/outbox.ts';
import { commitOf } from '../../../../src/core/outbox/withUnsentIntents.ts';
import { PendingChanges } from '../../../../src/host/projects/pendingChanges.ts';
import { aBacklog, anIteration, aStory } from '../../../support/builders/builders.ts';
import { silentLog } from '../../../support/silentLog.ts';
import { HeldOutbox } from './heldOutbox.ts';

const account = { accountId: 'home', address: 'https://tracker.example' };
const key = { accountId: 'home', projectId: 1 };
const rename = (name: string): Intent => ({ kind: 'edit', storyId: 12, edit: { name } });
const away: Outcome = { kind: 'waiting', problem: { kind: 'unreachable', message: 'Nobody there.' } };

describe('Changes that no server has taken yet', () => {
  let outbox: HeldOutbox;
  let pending: PendingChanges;
  /** What the server last said. */
  let read: Backlog;
  let reads: number;
  const shown = () => findStory(pending.unsent.applied(key, read), 12)?.name;

  beforeEach(async () => {
    outbox = new HeldOutbox();
    read = aBacklog({ iterations: [anIteration({ stories: [aStory({ id: 12, name: 'Read' })] })] });
    reads = 0;
    const reload = async () => {
      const forget = pending.unsent.beforeReading(key);
      await setImmediate();
      reads++;
      forget();
    };
    pending = new PendingChanges({
      ...{ outbox, log: silentLog, attendedAccounts: async () => [account], reader: { reload } },
      state: { isKnown: () => true, tellChanged: () => undefined },
    });
    await pending.attend();
  });

  it('are shown at once, until the project was read after the answer', async () => {
    const submitted = pending.submit(key, account, [rename('New')]);
    assert.equal(shown(), 'New');
    await setImmediate();
    assert.equal(shown(), 'New');
    await outbox.settle('e1', { kind: 'sent' });
    assert.deepEqual(await submitted, { entryIds: ['e1'], sent: 1, repeated: 0 });
    assert.deepEqual([shown(), reads], ['Read', 1]);
  });

  it('are taken back when they are refused, and not kept for telling it again', async () => {
    const submitted = pending.submit(key, account, [rename('New')]);
    await setImmediate();
    await outbox.settle('e1', { kind: 'failed', problem: { kind: 'refused', message: 'Frozen.' } });
    const { refused } = await submitted;
    assert.ok(refused instanceof TrackerError);
    assert.deepEqual(
      [refused.kind, refused.message, shown(), outbox.discarded],
      ['refused', 'Frozen.', 'Read', ['e1']],
    );
  });

  it('tell what became of them once they have left the outbox, however long they wait', async () => {
    const submitted = pending.submit(key, account, [rename('New'), rename('Newer')]);
    await setImmediate();
    for (const id of ['e1', 'e2']) await outbox.settle(id, away);
    assert.deepEqual((await submitted).entryIds, ['e1', 'e2']);
    const told: Outcome[] = [];
    void pending.whenGone('e1').then((outcome) => told.push(outcome));
    await outbox.settle('e1', away);
    await outbox.settle('e2', { kind: 'discarded' });
    assert.deepEqual(told, []);
    outbox.held = [];
    outbox.tell();
    await setImmediate();
    await outbox.settle('e1', { kind: 'sent', created: 9 });
    assert.deepEqual(told, [{ kind: 'sent', created: 9 }]);
  });

  it('are known not to have been made once each was refused or discarded', async () => {
    const failed: Outcome = { kind: 'failed', problem: { kind: 'refused', message: 'Frozen.' } };
    const cases: readonly (readonly [Outcome, Outcome, boolean])[] = [
      [failed, { kind: 'discarded' }, true],
      [failed, failed, true],
      [failed, { kind: 'sent' }, false],
      [away, { kind: 'discarded' }, false],
      [{ kind: 'replaced' }, failed, false],
    ];
    for (const [one, other, expected] of cases) {
      const asked = pending.areUnmade(['e1', 'e2']);
      await outbox.settle('e1', one);
      await outbox.settle('e2', other);
      assert.equal(await asked, expected, `${one.kind} ${other.kind}`);
    }
  });

  it('stay with their story when they are commits that were refused, until someone decides', async () => {
    const commit = { commitId: 'c0ffee', message: '[#12] Bake', author: 'Ada' };
    const stories = [{ projectId: read.project.id, storyId: 12 }];
    const submitted = pending.submit(key, account, [{ kind: 'link', storyId: 12, stories, commit }]);
    const states = () => findStory(pending.unsent.applied(key, read), 12)?.notes.map((note) => commitOf(note)?.state);
    assert.deepEqual(states(), ['waiting']);
    await setImmediate();
    const problem = { kind: 'refused', message: 'Frozen.' } as const;
    const held = outbox.held;
    await outbox.settle('e1', { kind: 'failed', problem });
    outbox.held = held.map((entry) => ({ ...entry, state: 'failed', problem }));
    outbox.tell();
    assert.equal((await submitted).refused?.message, 'Frozen.');
    assert.deepEqual([states(), outbox.discarded], [['failed'], []]);
    assert.deepEqual(
      pending.unsent.entries.map(({ id, state }) => [id, state]),
      [['e1', 'failed']],
    );
  });

  it('are marked as not sent when they wait behind one that cannot be sent, and no others', async () => {
    const isMarked = (id: number) => {
      const story = findStory(pending.unsent.applied(key, read), id);
      return story !== undefined && isUnsent(story);
    };
    read = aBacklog({ iterations: [anIteration({ stories: [aStory({ id: 12 }), aStory({ id: 13 })] })] });
    void pending.submit(key, account, [rename('New')]);
    void pending.submit(key, account, [{ kind: 'comment', storyId: 13, text: 'Later.' }]);
    for (let times = 0; times < 3; times++) await setImmediate();
    assert.deepEqual([isMarked(12), isMarked(13)], [false, false]);
    await outbox.settle('e1', away);
    assert.deepEqual([isMarked(12), isMarked(13)], [true, true]);
  });

  it('are no longer shown once they were discarded, though no server can be read', async () => {
    void pending.submit(key, account, [rename('New')]);
    await setImmediate();
    await outbox.settle('e1', away);
    assert.equal(await pending.discard('e1'), false, 'as long as the outbox keeps it');
    assert.equal(shown(), 'New');
    outbox.discard = async () => {
      outbox.held = [];
      outbox.tell();
    };
    assert.equal(await pending.discard('e1'), true);
    assert.deepEqual([shown(), reads], ['Read', 0]);
  });

  it('are read again when a server took them that someone tried to discard in vain', async () => {
    void pending.submit(key, account, [rename('New')]);
    await setImmediate();
    await outbox.settle('e1', away);
    assert.equal(await pending.discard('e1'), false);
    outbox.held = [];
    outbox.tell();
    for (let times = 0; times < 3; times++) await setImmediate();
    assert.deepEqual([shown(), reads], ['Read', 1]);
  });

  it('are shown once while they go from this window into the outbox', async () => {
    const texts = () => findStory(pending.unsent.applied(key, read), 12)?.notes.map(({ text }) => text);
    const { add } = outbox;
    let inOutbox: unknown;
    outbox.add = async (...args) => {
      const entries = await add.apply(outbox, args);
      inOutbox = texts();
      return entries;
    };
    void pending.submit(key, account, [{ kind: 'comment', storyId: 12, text: 'Later.' }]);
    assert.deepEqual(texts(), ['Later.']);
    await setImmediate();
    assert.deepEqual([inOutbox, texts()], [['Later.'], ['Later.']]);
  });

  it('stay shown while they wait, and are read again when they are gone', async () => {
    const submitted = pending.submit(key, account, [rename('New')]);
    await setImmediate();
    await outbox.settle('e1', away);
    assert.deepEqual((await submitted).waiting, away.problem);
    assert.deepEqual([shown(), reads, pending.unsent.entries.length], ['New', 0, 1]);
    const waiting = findStory(pending.unsent.applied(key, read), 12);
    assert.equal(waiting && isUnsent(waiting), true);
    outbox.held = [];
    outbox.tell();
    assert.equal(shown(), 'New', 'until the project is read');
    for (let times = 0; times < 3; times++) await setImmediate();
    assert.deepEqual([shown(), reads, pending.unsent.entries.length], ['Read', 1, 0]);
  });

  it('are shown when another window or an earlier start left them, but not of someone who is not signed in', async () => {
    const elsewhere = { ...account, address: 'https://elsewhere.example', projectId: 1 };
    outbox.held = [
      outbox.entry({ ...account, projectId: 1 }, rename('Left')),
      outbox.entry(elsewhere, rename('Not ours')),
    ];
    outbox.tell();
    assert.deepEqual([shown(), pending.unsent.entries.length], ['Left', 1]);
    outbox.held = outbox.held.map((entry) => ({ ...entry, state: 'failed' }));
    outbox.tell();
    assert.equal(shown(), 'Read');
  });

  it('are shown in the order in which they were made', async () => {
    void pending.submit(key, account, [rename('First')]);
    void pending.submit(key, account, [rename('Second')]);
    assert.equal(shown(), 'Second');
    await setImmediate();
    assert.equal(shown(), 'Second');
    await outbox.settle('e1', { kind: 'sent' });
    assert.deepEqual([shown(), reads], ['Second', 0], 'the project is read after the last');
    await outbox.settle('e2', { kind: 'sent' });
    for (let times = 0; times < 3; times++) await setImmediate();
    assert.deepEqual([shown(), reads], ['Read', 1]);
  });

  it('are put on a backlog once, however often they are told and it is asked for', async () => {
    void pending.submit(key, account, [rename('New')]);
    await setImmediate();
    await outbox.settle('e1', away);
    const before = pending.unsent.applied(key, read);
    outbox.held = outbox.held.map((entry) => ({ ...entry }));
    outbox.tell();
    assert.equal(pending.unsent.applied(key, read), before);
  });

  it('have a new engine know who is signed in when the one that was told has ended', async () => {
    await pending.attend();
    outbox.end();
    await setImmediate();
    const before = outbox.attended;
    const submitted = pending.submit(key, account, [rename('New')]);
    await setImmediate();
    assert.equal(outbox.attended, before + 1);
    await outbox.settle('e1', { kind: 'sent' });
    assert.equal((await submitted).sent, 1);
    pending.dispose();
  });
});
