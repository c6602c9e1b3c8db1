import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { TrackerError } from '../../../src/core/errors.ts';
import type { Intent } from '../../../src/core/intent.ts';
import type { Outcome } from '../../../src/core/outbox.ts';
import { migrations } from '../../../src/sync/schema.ts';
import { type Fate, OutboxServer } from './outboxServer.ts';
import { OutboxWindow, project } from './outboxWindow.ts';
import { Seeded } from './seeded.ts';
import { SteppedClock } from './steppedClock.ts';

const comment = (storyId: number, text: string): Intent => ({ kind: 'comment', storyId, text });
const rename = (storyId: number, name: string): Intent => ({ kind: 'edit', storyId, edit: { name } });
const HOUR = 60 * 60_000;
const lost: Fate = { kind: 'lostBefore' };
const unheard: Fate = { kind: 'lostAfter' };
const answered: Fate = { kind: 'answered' };
const isRead = (method: string) => /^(get|list|current)/.test(method);

describe('The outbox, when things go wrong that seldom do', () => {
  const windows: OutboxWindow[] = [];
  let folder: string;
  let server: OutboxServer;
  let clock: SteppedClock;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-outbox-'));
    server = new OutboxServer();
    clock = new SteppedClock();
  });
  afterEach(async () => {
    for (const one of windows.splice(0)) one.kill();
    await rm(folder, { recursive: true, force: true });
  });

  async function open(): Promise<OutboxWindow> {
    const path = join(folder, 'replica.sqlite');
    const opened = new OutboxWindow({ path, server, clock, chance: new Seeded(windows.length) });
    windows.push(opened);
    return opened.open();
  }

  async function submit({ outbox }: OutboxWindow, ...intents: readonly Intent[]): Promise<readonly Outcome[]> {
    const entries = await outbox.add(project, intents);
    let told: readonly Outcome[] | undefined;
    void Promise.all(entries.map(({ id }) => outbox.outcome(id))).then((outcomes) => {
      told = outcomes;
    });
    await clock.until(() => told !== undefined);
    return told ?? [];
  }

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

  it('waits no longer than an hour because of a clock that was set back', async () => {
    const window = await open();
    server.fate = () => lost;
    await submit(window, rename(11, 'New'));
    window.kill();
    clock.time -= 400 * 24 * HOUR;
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

  it('promises nothing for what is not on disk when nobody is signed in', async () => {
    const path = join(folder, 'replica.sqlite', 'no', 'folder');
    await writeFile(join(folder, 'replica.sqlite'), '');
    const window = new OutboxWindow({ path, server, clock, chance: new Seeded(1) });
    windows.push(window);
    await assert.rejects(window.outbox.add(project, [comment(11, 'Lost')]), /could not be saved/);
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
    const path = join(folder, 'replica.sqlite');
    const next = new OutboxWindow({ path, server, clock, chance: new Seeded(9) });
    windows.push(next);
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
    const later = new DatabaseSync(join(folder, 'replica.sqlite'));
    later.exec(`PRAGMA user_version = ${migrations.length + 1}`);
    later.close();
    const other = await open();
    await submit(other, comment(12, 'Other'));
    await submit(window, comment(11, 'After'));
    server.fate = () => answered;
    await clock.advance(HOUR);
    assert.deepEqual([server.texts(11), server.texts(12)], [['Before', 'After'], ['Other']]);
    server.fate = () => lost;
    await submit(window, comment(13, 'Left behind'));
    for (const one of windows.splice(0)) one.kill();
    server.fate = () => answered;
    await open();
    await clock.advance(HOUR);
    assert.deepEqual(server.texts(13), ['Left behind']);
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
});
