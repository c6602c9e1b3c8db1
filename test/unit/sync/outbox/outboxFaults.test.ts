import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { TrackerError } from '../../../../src/core/errors.ts';
import type { Intent } from '../../../../src/core/intents/intent.ts';
import { schemaVersion } from '../../../support/replica/client.ts';
import { OutboxMachine } from '../../../support/replica/outboxMachine.ts';
import { type OutboxWindow, project } from '../../../support/replica/outboxWindow.ts';
import type { SteppedClock } from '../../../support/replica/steppedClock.ts';
import type { Fate, OutboxServer } from '../../../support/trackers/outboxServer.ts';

const comment = (storyId: number, text: string): Intent => ({ kind: 'comment', storyId, text });
const rename = (storyId: number, name: string): Intent => ({ kind: 'edit', storyId, edit: { name } });
const HOUR = 60 * 60_000;
const lost: Fate = { kind: 'lostBefore' };
const unheard: Fate = { kind: 'lostAfter' };
const answered: Fate = { kind: 'answered' };
const isRead = (method: string) => /^(get|list|current)/.test(method);

describe('The outbox, when things go wrong that seldom do', () => {
  let machine: OutboxMachine;
  let server: OutboxServer;
  let clock: SteppedClock;

  beforeEach(async () => {
    machine = await OutboxMachine.start();
    ({ server, clock } = machine);
  });
  afterEach(() => machine.remove());

  const open = () => machine.open();
  const submit = (window: OutboxWindow, ...intents: readonly Intent[]) => machine.submit(window, ...intents);

  it('does not double a comment that was sent unheard, then could not be looked for, and is tried again', async () => {
    const window = await open();
    server.fate = (method) => (isRead(method) ? answered : unheard);
    await submit(window, comment(11, 'Once'));
    const forbidden = new TrackerError('forbidden', 'Not from here.', { status: 403 });
    server.fate = () => ({ kind: 'throws', error: forbidden });
    await clock.advance(HOUR);
    assert.equal((await window.outbox.entries())[0]?.state, 'failed');
    server.fate = () => answered;
    await window.outbox.retry();
    await clock.advance(HOUR);
    assert.deepEqual(server.texts(11), ['Once']);
  });

  it('does not double a comment behind one that fails again', async () => {
    const window = await open();
    const refused = new TrackerError('refused', 'No.', { status: 422 });
    server.fate = (method) => (isRead(method) ? answered : { kind: 'throws', error: refused });
    const [one, two] = await window.outbox.add(project, [comment(11, 'One'), comment(11, 'Two')]);
    await clock.advance(1000);
    server.fate = (method) => (isRead(method) ? answered : unheard);
    await window.outbox.retry([two?.id ?? '']);
    await clock.advance(10);
    server.fate = (method) => (isRead(method) ? answered : { kind: 'throws', error: refused });
    await window.outbox.retry([one?.id ?? '']);
    await clock.advance(1000);
    server.fate = () => answered;
    await window.outbox.retry();
    await clock.advance(HOUR);
    assert.deepEqual([...server.texts(11)].toSorted(), ['One', 'Two']);
  });

  it('knows a comment again whose characters XML cannot hold', async () => {
    const window = await open();
    const addNote = server.addNote.bind(server);
    server.addNote = (ref, text) => addNote(ref, text.replaceAll(/[\0\ud800]/g, '\ufffd'));
    let isFirst = true;
    server.fate = (method) => {
      if (isRead(method) || !isFirst) return answered;
      isFirst = false;
      return unheard;
    };
    await submit(window, comment(11, 'a\0b\ud800c'));
    await clock.advance(HOUR);
    assert.deepEqual(server.texts(11), ['a\ufffdb\ufffdc']);
  });

  const rewritings: Readonly<Record<string, (text: string) => string>> = {
    'composed accents': (text) => text.normalize('NFC'),
    'no blanks at the ends of lines': (text) => text.replaceAll(/[ \t]+$/gm, ''),
    'no emoji': (text) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, ''),
    'question marks for emoji': (text) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '??'),
  };
  for (const [what, rewrite] of Object.entries(rewritings)) {
    it(`knows a comment again from which the server made one with ${what}`, async () => {
      const window = await open();
      const addNote = server.addNote.bind(server);
      server.addNote = (ref, text) => addNote(ref, rewrite(text));
      let isFirst = true;
      server.fate = (method) => {
        if (isRead(method) || !isFirst) return answered;
        isFirst = false;
        return unheard;
      };
      const text = 'Cafe\u0301 \u{1f389}  \nopens. \u{1f600}';
      await submit(window, comment(11, text));
      await clock.advance(HOUR);
      assert.deepEqual(server.texts(11), [rewrite(text).trim()]);
    });
  }

  it('waits no longer than an hour because of a clock that was set back', async () => {
    const window = await open();
    server.fate = () => lost;
    await submit(window, rename(11, 'New'));
    window.kill();
    clock.setBack(400 * 24 * HOUR);
    server.fate = () => answered;
    const next = await open();
    await clock.advance(HOUR);
    assert.deepEqual(await next.outbox.entries(), []);
  });

  it('waits no longer than an hour because a server wishes it', async () => {
    const window = await open();
    const busy = new TrackerError('busy', 'Later.', { status: 429, retryAfter: 999_999_999_000 });
    server.fate = () => ({ kind: 'throws', error: busy });
    await submit(window, rename(11, 'New'));
    server.fate = () => answered;
    await clock.advance(HOUR + 60_000);
    assert.deepEqual(await window.outbox.entries(), []);
  });

  it('promises nothing for what is not on disk, a full one', async () => {
    const window = await open();
    server.fate = () => lost;
    const [kept] = await submit(window, comment(11, 'Kept'));
    assert.equal(kept?.kind, 'waiting');
    window.file.run((database) => database.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA max_page_count = 1'));
    const [outcome] = await submit(window, comment(11, 'x'.repeat(100_000)));
    assert.equal(outcome?.kind, 'failed');
    const [second] = await submit(window, comment(12, 'y'.repeat(100_000)));
    assert.equal(second?.kind, 'failed');
    window.kill();
    server.fate = () => answered;
    const next = await open();
    await clock.advance(HOUR);
    assert.deepEqual([server.texts(11), server.texts(12), await next.outbox.entries()], [['Kept'], [], []]);
  });

  it('keeps again what cannot be sent when the disk is full no more, and has lost nothing', async () => {
    const window = await open();
    server.fate = () => lost;
    await submit(window, comment(11, 'Kept'));
    window.file.run((database) => database.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA max_page_count = 1'));
    const [refused] = await submit(window, comment(11, 'x'.repeat(100_000)));
    assert.equal(refused?.kind, 'failed');
    await clock.advance(60_000);
    const [waiting] = await submit(window, comment(12, 'Later'));
    assert.equal(waiting?.kind, 'waiting');
    const states = (await window.outbox.entries()).map(({ state }) => state).toSorted();
    assert.deepEqual(states, ['failed', 'waiting', 'waiting']);
    server.fate = () => answered;
    await clock.advance(HOUR / 4);
    assert.deepEqual([server.texts(11), server.texts(12)], [['Kept'], ['Later']]);
  });

  it('promises nothing for what is not on disk when nobody is signed in', async () => {
    await writeFile(machine.path, '');
    const window = machine.window(join(machine.path, 'no', 'folder'));
    await assert.rejects(window.outbox.add(project, [comment(11, 'Lost')]), /Could not save the change/);
    await window.open();
    await clock.advance(HOUR);
    assert.deepEqual(server.done, []);
  });

  it('lets one discard what a killed window was sending when nobody is signed in', async () => {
    const window = await open();
    server.fate = () => ({ kind: 'late', wait: () => clock.wait(10 ** 9) });
    const [entry] = await window.outbox.add(project, [comment(11, 'A')]);
    await clock.advance(100);
    window.kill();
    const next = machine.window();
    await next.outbox.attend([]);
    await clock.advance(HOUR);
    await next.outbox.discard([entry?.id ?? '']);
    assert.deepEqual(await next.outbox.entries(), []);
  });

  it('tells of very many entries now and then, and in the end that all are gone', async function () {
    this.timeout(20_000);
    const window = await open();
    const told: number[] = [];
    const stop = new AbortController();
    void window.outbox.follow({ onChange: (entries) => told.push(entries.length), signal: stop.signal });
    await clock.advance(10);
    server.fate = () => ({ kind: 'late', wait: () => clock.wait(10) });
    const outcomes = submit(window, ...Array.from({ length: 120 }, (_, index) => rename(11, `Name ${index}`)));
    assert.ok((await outcomes).every(({ kind }) => kind === 'sent'));
    await clock.advance(1000);
    stop.abort();
    assert.ok(told.length < 120, `told ${told.length} times`);
    assert.deepEqual([told[1], told.at(-1)], [120, 0]);
  });

  it('loses and doubles nothing in a window whose file another one sets aside', async () => {
    const window = await open();
    server.fate = () => lost;
    await submit(window, comment(11, 'Before'));
    const later = new DatabaseSync(machine.path);
    later.exec(`PRAGMA user_version = ${schemaVersion(later) + 1}`);
    later.close();
    const other = await open();
    await submit(other, comment(12, 'Other'));
    await submit(window, comment(11, 'After'));
    server.fate = () => answered;
    await clock.advance(HOUR);
    assert.deepEqual([server.texts(11), server.texts(12)], [['Before', 'After'], ['Other']]);
    server.fate = () => lost;
    await submit(window, comment(13, 'Left behind'));
    machine.killWindows();
    server.fate = () => answered;
    await open();
    await clock.advance(HOUR);
    assert.deepEqual(server.texts(13), ['Left behind']);
  });

  const stumble: Fate = { kind: 'throws', error: new TrackerError('server', 'Oops.', { status: 500 }) };
  const move = (storyId: number, targetId: number): Intent => ({ kind: 'move', storyId, place: 'before', targetId });

  it('lets by what does not depend on a change that the server stumbles over, and gives that up in the end', async function () {
    this.timeout(20_000);
    const window = await open();
    server.fate = (method) => (method === 'moveStory' ? stumble : answered);
    const [waits] = await submit(window, move(13, 11));
    assert.deepEqual(waits, {
      kind: 'waiting',
      problem: { kind: 'server', message: 'Oops.', times: 1, since: clock.now() },
    });
    const entries = await window.outbox.add(project, [comment(13, 'Yes')]);
    await window.outbox.add(project, [move(14, 12)]);
    await clock.until(() => server.done.length > 0);
    assert.equal((await window.outbox.outcome(entries[0]?.id ?? '')).kind, 'sent');
    await clock.advance(60_000);
    const left = await window.outbox.entries();
    assert.deepEqual(
      left.map(({ state }) => state),
      ['waiting', 'waiting'],
      'moves keep their order',
    );
    assert.deepEqual([left[1]?.attempts, (await window.outbox.outcome(left[1]?.id ?? '')).kind], [0, 'waiting']);
    await clock.advance(HOUR);
    const [first] = await window.outbox.entries();
    assert.deepEqual([first?.state, first?.problem?.message], ['failed', 'Oops.']);
    server.fate = () => answered;
    await clock.advance(HOUR);
    assert.deepEqual(server.done, ['comment 13 Yes', 'move 14 before 12']);
    await window.outbox.retry();
    await clock.advance(HOUR);
    assert.deepEqual([server.orders[1], await window.outbox.entries()], [[13, 11, 14, 12], []]);
  });

  it('gives nothing up while a server fails at all', async function () {
    this.timeout(20_000);
    const window = await open();
    server.fate = () => stumble;
    const wishes = [11, 12, 13, 14].map((storyId) => comment(storyId, 'Yes'));
    for (const wish of wishes) await window.outbox.add(project, [wish]);
    await clock.advance(HOUR / 4);
    assert.deepEqual(new Set((await window.outbox.entries()).map(({ state }) => state)), new Set(['waiting']));
    server.fate = () => answered;
    await clock.advance(HOUR);
    assert.deepEqual(await window.outbox.entries(), []);
  });

  it('fails at last the only change that a server stumbles over, so that those behind it go', async function () {
    this.timeout(20_000);
    const window = await open();
    server.fate = (method) => (method === 'moveStory' ? stumble : answered);
    await window.outbox.add(project, [move(13, 11)]);
    await clock.advance(HOUR / 30);
    assert.equal((await window.outbox.entries())[0]?.state, 'waiting');
    clock.sleep(6 * HOUR);
    await clock.advance(HOUR / 10);
    assert.equal((await window.outbox.entries())[0]?.state, 'failed');
  });

  it('links a commit to the stories that are left of those it names', async () => {
    const window = await open();
    server.remove(12);
    const post = server.postSourceCommit.bind(server);
    server.postSourceCommit = (commit) => post({ ...commit, message: commit.message.replace('#12', '') });
    const stories = [11, 12].map((storyId) => ({ projectId: 1, storyId }));
    const commit = { commitId: 'c0ffee', message: '[#11 #12] Bake', author: 'Ada' };
    const [outcome] = await submit(window, { kind: 'link', storyId: 11, stories, commit });
    assert.deepEqual([outcome, server.texts(11).length], [{ kind: 'sent' }, 1]);
    server.remove(11);
    const [none] = await submit(window, { kind: 'link', storyId: 11, stories, commit });
    assert.equal(none?.kind === 'failed' && none.problem.kind, 'notFound');
  });

  it('tries a commit that was refused anew in place of what failed', async () => {
    const window = await open();
    const refused = new TrackerError('refused', 'No.', { status: 422 });
    server.fate = (method) => (isRead(method) ? answered : { kind: 'throws', error: refused });
    const commit = { commitId: 'c0ffee', message: '[#11] Bake', author: 'Ada' };
    const link: Intent = { kind: 'link', storyId: 11, stories: [{ projectId: 1, storyId: 11 }], commit };
    await submit(window, link);
    await submit(window, { ...link, storyId: 12, stories: [{ projectId: 1, storyId: 12 }] });
    await submit(window, link);
    const left = (await window.outbox.entries()).map(({ intent, state }) => [intent.storyId, state]);
    assert.deepEqual(left, [
      [12, 'failed'],
      [11, 'failed'],
    ]);
    server.fate = () => answered;
    await submit(window, link);
    assert.deepEqual([server.texts(11).length, (await window.outbox.entries()).length], [1, 1]);
  });
});
