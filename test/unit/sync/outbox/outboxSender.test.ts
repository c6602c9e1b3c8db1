import assert from 'node:assert/strict';
import { open as openFile } from 'node:fs/promises';
import { TrackerError } from '../../../../src/core/errors.ts';
import type { Intent } from '../../../../src/core/intents/intent.ts';
import { type OutboxEntry, submissionOf } from '../../../../src/core/outbox/outbox.ts';
import { aBacklog, aNote, aProject, aStory } from '../../../support/builders/builders.ts';
import { OutboxMachine } from '../../../support/replica/outboxMachine.ts';
import { account, type OutboxWindow, project } from '../../../support/replica/outboxWindow.ts';
import type { SteppedClock } from '../../../support/replica/steppedClock.ts';
import type { Fate, OutboxServer } from '../../../support/trackers/outboxServer.ts';

const comment = (storyId: number, text: string): Intent => ({ kind: 'comment', storyId, text });
const rename = (storyId: number, name: string): Intent => ({ kind: 'edit', storyId, edit: { name } });
const before = (storyId: number, targetId: number): Intent => ({ kind: 'move', storyId, place: 'before', targetId });
const link = (commitId: string, ...storyIds: readonly number[]): Intent => ({
  kind: 'link',
  storyId: storyIds[0] ?? 0,
  stories: storyIds.map((storyId) => ({ projectId: 1, storyId })),
  commit: { commitId, message: `[${storyIds.map((id) => `#${id}`).join(' ')}]`, author: 'Ada' },
});
const lost: Fate = { kind: 'lostBefore' };
const unheard: Fate = { kind: 'lostAfter' };
const answered: Fate = { kind: 'answered' };
const refused: Fate = { kind: 'throws', error: new TrackerError('refused', 'Frozen until Friday.', { status: 422 }) };

describe('The outbox', () => {
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
  const inTime = <T>(work: Promise<T>) => machine.inTime(work);
  const left = async ({ outbox }: OutboxWindow) =>
    (await outbox.entries()).map(({ intent, state }) => `${intent.kind} ${intent.storyId} ${state}`);
  /** The fate of writes one after the other; what follows, and every read, is answered. */
  const fates = (...writes: readonly Fate[]) => {
    const rest = [...writes];
    server.fate = (method) => (/^(get|list|current)/.test(method) ? answered : (rest.shift() ?? answered));
  };

  it('sends what is added, in order, and keeps nothing of it', async () => {
    const window = await open();
    const outcomes = await submit(window, rename(11, 'One'), before(14, 12), comment(11, 'Looks right'));
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['sent', 'sent', 'sent'],
    );
    assert.deepEqual(server.done, ['edit 11 {"name":"One"}', 'move 14 before 12', 'comment 11 Looks right']);
    assert.deepEqual(await left(window), []);
  });

  it('sends of moves of one story that wait only the last, and says of the others that it took their place', async () => {
    const window = await open();
    server.fate = () => lost;
    const first = await submit(window, before(14, 13));
    const [entry, beside] = await window.outbox.add(project, [before(14, 12), rename(14, 'New')]);
    await submit(window, before(14, 11));
    assert.deepEqual(
      first.map(({ kind }) => kind),
      ['waiting'],
    );
    assert.deepEqual(await inTime(window.outbox.outcome(entry?.id ?? '')), { kind: 'replaced' });
    assert.deepEqual(await left(window), ['move 14 waiting', 'edit 14 waiting', 'move 14 waiting']);
    fates();
    await window.outbox.retry();
    await inTime(window.outbox.outcome(beside?.id ?? ''));
    await clock.advance(60_000);
    assert.deepEqual(server.orders[1], [14, 11, 12, 13]);
    assert.ok(!server.done.includes('move 14 before 12'));
  });

  it('takes what the server answered into the replica', async () => {
    const window = await open();
    const place = await window.replica.placeFor(account);
    await window.replica.putProjects(place, { projects: [aProject()], readAt: 1 }, 1);
    window.file.change((database) => {
      const stories = [aStory({ id: 11 })];
      const lists = { iterations: [], icebox: [11], done: [] };
      database.exec(`INSERT INTO backlog (account, id, value, listsRevision, readAt, wholeReadAt, stamp)
        VALUES (${place.key}, 1, '${JSON.stringify(aBacklog().project)}', 1, 1, 1, 1)`);
      database
        .prepare('INSERT INTO lists (account, project, value) VALUES (?, 1, ?)')
        .run(place.key, JSON.stringify(lists));
      for (const one of stories) {
        const insert = database.prepare(
          'INSERT INTO story (account, project, id, value, revision) VALUES (?, 1, ?, ?, 1)',
        );
        insert.run(place.key, one.id, JSON.stringify(one));
      }
    });
    await submit(window, rename(11, 'New'), comment(11, 'Looks right'));
    const changes = await window.replica.backlog(project, {});
    const [story] = changes?.stories ?? [];
    assert.deepEqual([story?.name, story?.notes.map(({ text }) => text)], ['New', ['Looks right']]);
  });

  it('lets what cannot be sent wait, tells so at once, and sends it once when the server is back', async () => {
    server.fate = () => lost;
    const window = await open();
    const [first] = await submit(window, before(14, 11));
    assert.deepEqual(first, { kind: 'waiting', problem: { kind: 'unreachable', message: 'Cut off.' } });
    const [second] = await submit(window, comment(11, 'Later'));
    assert.equal(second?.kind, 'waiting');
    assert.deepEqual(await left(window), ['move 14 waiting', 'comment 11 waiting']);
    server.fate = () => answered;
    await clock.advance(15 * 60_000);
    assert.deepEqual(server.done, ['move 14 before 11', 'comment 11 Later']);
    assert.deepEqual(await left(window), []);
  });

  it('sends what waits for a connection as soon as the server answers anything, and nothing that has to wait longer', async () => {
    server.fate = () => lost;
    const window = await open();
    await submit(window, comment(11, 'Later'));
    await clock.advance(10 * 60_000);
    const busy = new TrackerError('busy', 'Later.', { status: 429, retryAfter: 90_000 });
    fates({ kind: 'throws', error: busy });
    await window.outbox.serverIsBack({ ...account, accountId: 'another' });
    await clock.advance(1);
    assert.deepEqual(server.done, []);
    for (const _ of [1, 2]) {
      await window.outbox.serverIsBack(account);
      await clock.advance(1);
      assert.deepEqual(server.done, [], 'it is busy');
    }
    await clock.advance(10 * 60_000);
    assert.deepEqual(server.done, ['comment 11 Later']);
    server.fate = () => lost;
    await submit(window, comment(11, 'At once'));
    await clock.advance(10 * 60_000);
    server.fate = () => answered;
    await window.outbox.serverIsBack(account);
    await clock.advance(1);
    assert.deepEqual(server.done, ['comment 11 Later', 'comment 11 At once']);
  });

  it('takes back what waits for a connection, and never what a server may have heard of', async () => {
    server.fate = () => ({ kind: 'noConnection' });
    const window = await open();
    const [entry] = await window.outbox.add(project, [{ kind: 'deleteStory', storyId: 12 }]);
    assert.ok(entry);
    assert.equal((await inTime(window.outbox.outcome(entry.id))).kind, 'waiting');
    await clock.advance(60_000);
    assert.ok(((await window.outbox.entries())[0]?.attempts ?? 0) > 1, 'it was tried again');
    assert.equal(await window.outbox.withdraw([entry.id]), true);
    const [other] = await window.outbox.add(project, [{ kind: 'deleteStory', storyId: 12 }]);
    assert.ok(other);
    server.fate = () => lost;
    await clock.advance(15 * 60_000);
    server.fate = () => ({ kind: 'noConnection' });
    await clock.advance(15 * 60_000);
    assert.equal(await window.outbox.withdraw([other.id]), false);
    server.fate = () => answered;
    await clock.advance(15 * 60_000);
    assert.deepEqual([server.done, await left(window)], [['delete 12'], []]);
  });

  it('has it on disk before it is sent, and another process sends it after a kill', async () => {
    server.fate = () => lost;
    const window = await open();
    await window.outbox.add(project, [comment(11, 'Typed'), comment(12, 'too')]);
    window.kill();
    server.fate = () => answered;
    const next = await open();
    await clock.until(() => server.done.length === 2);
    assert.deepEqual(server.done, ['comment 11 Typed', 'comment 12 too']);
    await clock.advance(1000);
    assert.deepEqual(await left(next), []);
  });

  it('does not repeat what was done and never answered', async () => {
    for (const intent of [rename(11, 'New'), before(14, 11), comment(12, ' Said \r\nonce '), link('abc', 12, 13)]) {
      server.done.length = 0;
      fates(unheard);
      const window = await open();
      const [outcome] = await submit(window, intent);
      assert.equal(outcome?.kind, 'waiting');
      await clock.advance(60_000);
      assert.deepEqual([server.done.length, await left(window)], [1, []], intent.kind);
      window.kill();
    }
  });

  it('adds the tasks of a new story once, whichever answer was lost, and ticks those that were done', async () => {
    const tasks = ['Heat', 'Knead', 'Heat'].map((description, index) => ({ description, complete: index === 1 }));
    const wanted: Intent = { kind: 'newStory', storyId: -5, story: { name: 'Bake rye' }, tasks };
    for (const writes of [0, 1, 2, 3, 4]) {
      server.remove(1001 + server.done.length);
      const window = await open();
      const before = server.done.length;
      fates(...Array.from({ length: writes }, () => answered), unheard);
      await submit(window, wanted);
      await clock.advance(60_000);
      const id = 1001 + before;
      assert.deepEqual(
        server.story(id).tasks.map(({ description, complete }) => `${description} ${complete}`),
        ['Heat false', 'Knead true', 'Heat false'],
        `answer ${writes} lost`,
      );
      assert.deepEqual([server.done.length - before, await left(window)], [5, []]);
      server.remove(id);
      window.kill();
    }
  });

  it('adds a task once, ticked and where it is wanted, whichever answer was lost', async () => {
    const had = { id: 7, description: 'Rest', complete: false };
    const wanted: Intent = { kind: 'newTask', storyId: 12, description: 'Heat', complete: true, position: 1 };
    for (const writes of [0, 1, 2, 3]) {
      server.put({ ...server.story(12), tasks: [had] });
      const window = await open();
      const before = server.done.length;
      fates(...Array.from({ length: writes }, () => answered), unheard);
      await submit(window, wanted);
      await clock.advance(60_000);
      assert.deepEqual(
        server.story(12).tasks.map(({ description, complete }) => `${description} ${complete}`),
        ['Heat true', 'Rest false'],
        `answer ${writes} lost`,
      );
      assert.deepEqual([server.done.length - before, await left(window)], [3, []]);
      window.kill();
    }
  });

  it('keeps a task that the server does not tick or move, at its end', async () => {
    server.put({ ...server.story(12), tasks: [{ id: 7, description: 'Rest', complete: false }] });
    const window = await open();
    fates(answered, refused, refused);
    const wanted: Intent = { kind: 'newTask', storyId: 12, description: 'Heat', complete: true, position: 1 };
    const [outcome] = await submit(window, wanted);
    assert.equal(outcome?.kind, 'sent');
    assert.deepEqual(
      server.story(12).tasks.map(({ description, complete }) => `${description} ${complete}`),
      ['Rest false', 'Heat false'],
    );
  });

  it('keeps each task of a new story that the server refuses, with its text and the reason, and makes all else', async () => {
    const window = await open();
    fates(answered, refused, answered, refused);
    const tasks = ['Heat', 'Knead', 'Bake'].map((description, index) => ({ description, complete: index === 2 }));
    const [outcome] = await submit(window, { kind: 'newStory', storyId: -5, story: { name: 'Bake' }, tasks });
    assert.equal(outcome?.kind, 'sent');
    const created = server.story(1001);
    assert.deepEqual(
      created.tasks.map(({ description }) => description),
      ['Knead'],
    );
    const kept = await window.outbox.entries();
    assert.deepEqual(
      kept.map(({ intent, state, problem }) => [intent, state, problem?.message]),
      ['Heat', 'Bake'].map((description) => [
        { kind: 'newTask', storyId: 1001, description, ...(description === 'Bake' && { complete: true }) },
        'failed',
        'Frozen until Friday.',
      ]),
    );
    await window.outbox.retry([kept[0]?.id ?? '']);
    await clock.advance(60_000);
    assert.deepEqual(await left(window), ['newTask 1001 failed']);
    assert.deepEqual(
      server.story(1001).tasks.map(({ description }) => description),
      ['Knead', 'Heat'],
    );
  });

  it('makes one story, and one task, of what was done and never answered', async () => {
    server.put({ ...server.story(12), tasks: [{ id: 7, description: 'Heat', complete: false }] });
    const wanted: readonly Intent[] = [
      { kind: 'newStory', storyId: -5, story: { name: 'Bake rye ', type: 'bug' } },
      { kind: 'newTask', storyId: 12, description: 'Heat' },
      { kind: 'task', storyId: 12, taskId: 7, complete: true },
    ];
    for (const intent of wanted) {
      fates(unheard);
      const window = await open();
      const [outcome] = await submit(window, intent);
      assert.equal(outcome?.kind, 'waiting');
      window.kill();
      const next = await open();
      await clock.advance(15 * 60_000);
      assert.deepEqual(await left(next), [], intent.kind);
      next.kill();
    }
    assert.deepEqual(
      server.listStories(1).map(({ name, type }) => [name.trim(), type]),
      [['Bake rye', 'bug']],
    );
    assert.deepEqual(
      server.story(12).tasks.map(({ description, complete }) => [description, complete]),
      [
        ['Heat', true],
        ['Heat', false],
      ],
    );
  });

  it('makes a second story of the same name when someone wants one, and tells its number', async () => {
    const window = await open();
    const rye = (storyId: number): Intent => ({ kind: 'newStory', storyId, story: { name: 'Rye' } });
    const [first] = await submit(window, rye(-1));
    fates(unheard);
    await submit(window, rye(-2));
    await clock.advance(60_000);
    assert.deepEqual(server.done, ['create Rye', 'create Rye']);
    assert.deepEqual(first, { kind: 'sent', created: 1001 });
    assert.deepEqual(await left(window), []);
  });

  it('keeps the labels that someone else put on a story in the meantime', async () => {
    server.fate = () => lost;
    const window = await open();
    const change = { add: ['rye'], remove: ['oven'] };
    await submit(window, { kind: 'labels', storyId: 11, change, known: ['oven'] });
    server.put({ ...server.story(11), labels: ['oven', 'shop'] });
    fates(unheard);
    await clock.advance(15 * 60_000);
    assert.deepEqual(server.story(11).labels, ['shop', 'rye']);
    assert.equal(server.done.length, 1);
    assert.deepEqual(await left(window), []);
  });

  it('does not repeat what was done when the window was killed before the answer', async () => {
    for (const intent of [rename(11, 'New'), before(14, 11), comment(12, 'Said once'), link('abc', 12, 13)]) {
      server.done.length = 0;
      const never = () => clock.wait(10 ** 9);
      fates({ kind: 'late', wait: never });
      const window = await open();
      await window.outbox.add(project, [intent]);
      await clock.until(() => server.done.length === 1);
      window.kill();
      const next = await open();
      await clock.advance(60_000);
      assert.deepEqual([server.done.length, await left(next)], [1, []], intent.kind);
      next.kill();
    }
  });

  it('sends again what is not there, an edit not over another person’s', async () => {
    fates(lost, lost);
    const window = await open();
    await submit(window, rename(11, 'New'), before(14, 11), comment(12, 'Said'), comment(12, 'Said'));
    await clock.advance(60_000);
    assert.deepEqual(server.done, [
      'edit 11 {"name":"New"}',
      'move 14 before 11',
      'comment 12 Said',
      'comment 12 Said',
    ]);
  });

  it('fails an edit whose field someone else has changed while nobody knew what became of it', async () => {
    const window = await open();
    const place = await window.replica.placeFor(account);
    window.file.change((database) => {
      database.exec(`INSERT INTO backlog (account, id, value, listsRevision, readAt, wholeReadAt, stamp)
        VALUES (${place.key}, 1, '{}', 1, 1, 1, 1)`);
      const insert = database.prepare(
        'INSERT INTO story (account, project, id, value, revision) VALUES (?, 1, 11, ?, 1)',
      );
      insert.run(place.key, JSON.stringify(server.story(11)));
    });
    fates(lost);
    await submit(window, rename(11, 'Ours'));
    server.put({ ...server.story(11), name: 'Theirs' });
    await clock.advance(60_000);
    const [entry] = await window.outbox.entries();
    assert.equal(server.story(11).name, 'Theirs');
    assert.deepEqual(entry?.problem, {
      kind: 'conflict',
      message: 'The name of story #11 was changed elsewhere. It is “Theirs” now.',
    });
    await window.outbox.retry([entry?.id ?? '']);
    await clock.advance(1000);
    assert.equal(server.story(11).name, 'Ours', 'when the person says so again');
  });

  it('counts one comment of a server for one of two equal ones', async () => {
    server.put({ ...server.story(11), notes: [aNote({ id: 1, text: '+1' })] });
    fates(unheard, lost, unheard);
    const window = await open();
    await submit(window, comment(11, '+1'), comment(11, '+1'));
    await clock.advance(10 * 60_000);
    assert.deepEqual(server.texts(11), ['+1', '+1', '+1']);
  });

  it('fails what is refused and what was added behind it in the same call, nothing else', async () => {
    fates(answered, refused);
    const window = await open();
    const entries = await window.outbox.add(project, [before(14, 11), before(13, 11), before(12, 11)]);
    const [other] = await window.outbox.add(project, [comment(11, 'Unaffected')]);
    const outcomes = await inTime(Promise.all([...entries, other].map((one) => window.outbox.outcome(one?.id ?? ''))));
    const problem = { kind: 'refused', message: 'Frozen until Friday.' };
    assert.deepEqual(outcomes, [
      { kind: 'sent' },
      { kind: 'failed', problem },
      { kind: 'failed', problem },
      { kind: 'sent' },
    ]);
    assert.deepEqual(await left(window), ['move 13 failed', 'move 12 failed']);
    assert.deepEqual(server.done, ['move 14 before 11', 'comment 11 Unaffected']);
  });

  it('keeps what failed over restarts, until it is tried again or discarded', async () => {
    fates(refused);
    const window = await open();
    await submit(window, rename(11, 'One'), rename(12, 'Two'));
    window.kill();
    const next = await open();
    await clock.advance(60_000);
    const [one, two] = await next.outbox.entries();
    assert.deepEqual([one?.state, two?.state], ['failed', 'failed']);
    await next.outbox.discard([one?.id ?? '']);
    await next.outbox.retry();
    await clock.advance(1000);
    assert.deepEqual([server.done, await left(next)], [['edit 12 {"name":"Two"}'], []]);
    assert.deepEqual(await next.outbox.outcome(one?.id ?? ''), { kind: 'discarded' });
  });

  it('waits for a sign-in where the server turns the person away', async () => {
    const turnedAway = new TrackerError('unauthorized', 'The token is no longer valid.', { status: 401 });
    server.fate = () => ({ kind: 'throws', error: turnedAway });
    const window = await open();
    const [outcome] = await submit(window, rename(11, 'New'));
    assert.equal(outcome?.kind === 'waiting' && outcome.problem.message, 'The token is no longer valid.');
    const asked = server.asked.length;
    await clock.advance(60 * 60_000);
    assert.equal(server.asked.length, asked, 'nothing is asked with a token that is not valid');
    server.fate = () => answered;
    await window.outbox.attend([account]);
    await clock.advance(1000);
    assert.deepEqual(server.done, ['edit 11 {"name":"New"}']);
  });

  it('keeps what is of an account that signed out, until it signs in at the same address', async () => {
    server.fate = () => lost;
    const window = await open();
    await submit(window, rename(11, 'New'));
    const nextAt = async () => (await window.outbox.entries())[0]?.nextAt;
    assert.ok(((await nextAt()) ?? 0) > clock.now());
    await window.outbox.attend([]);
    assert.equal(await nextAt(), undefined, 'it is not tried again before someone signs in');
    await window.replica.keepAccounts([]);
    server.fate = () => answered;
    await clock.advance(60_000);
    await window.outbox.attend([{ ...account, address: 'https://elsewhere.example' }]);
    await clock.advance(60_000);
    assert.deepEqual([server.done, await left(window)], [[], ['edit 11 waiting']]);
    await window.outbox.attend([account]);
    await clock.advance(60_000);
    assert.deepEqual([server.done, await left(window)], [['edit 11 {"name":"New"}'], []]);
  });

  it('tells of none that it is being sent longer than someone sends it, and of none of those why it waits', async () => {
    const [one, other] = [await open(), await open()];
    await other.outbox.attend([]);
    fates({ kind: 'late', wait: () => clock.wait(10 ** 9) });
    const told: (readonly OutboxEntry[])[] = [];
    void other.outbox.follow({ onChange: (entries) => told.push(entries) });
    await one.outbox.add(project, [rename(11, 'New')]);
    await clock.advance(6000);
    assert.deepEqual(await left(other), ['edit 11 sending']);
    one.kill();
    await clock.advance(40_000);
    assert.deepEqual(await left(other), ['edit 11 waiting']);
    assert.deepEqual(
      told.at(-1)?.map(({ state, problem }) => [state, problem?.message]),
      [['waiting', 'You are not signed in to this server.']],
    );
  });

  it('comes back when the server wishes, not sooner', async () => {
    const busy = new TrackerError('busy', 'Later.', { status: 429, retryAfter: 90_000 });
    fates({ kind: 'throws', error: busy });
    const window = await open();
    await submit(window, rename(11, 'New'));
    await submit(window, rename(12, 'Behind it'));
    await clock.advance(89_000);
    assert.deepEqual(server.done, []);
    await clock.advance(20_000);
    assert.deepEqual(server.done, ['edit 11 {"name":"New"}', 'edit 12 {"name":"Behind it"}']);
  });

  it('is sent by one of two windows, and both are told', async () => {
    const [one, other] = [await open(), await open()];
    fates({ kind: 'late', wait: () => clock.wait(30_000) });
    const [first] = await one.outbox.add(project, [comment(11, 'A')]);
    await clock.advance(10);
    const [second] = await other.outbox.add(project, [comment(11, 'B')]);
    const outcomes = await inTime(
      Promise.all([one.outbox.outcome(first?.id ?? ''), other.outbox.outcome(second?.id ?? '')]),
    );
    assert.deepEqual(outcomes, [{ kind: 'sent' }, { kind: 'sent', isElsewhere: true }]);
    assert.equal(submissionOf(['1', '2'], outcomes).isElsewhere, true);
    assert.equal(submissionOf(['1'], outcomes.slice(0, 1)).isElsewhere, undefined);
    assert.deepEqual(server.texts(11), ['A', 'B']);
  });

  it('is taken over from a window that was killed, when its lease has run out', async () => {
    const [one, other] = [await open(), await open()];
    fates({ kind: 'late', wait: () => clock.wait(10 ** 9) });
    await one.outbox.add(project, [comment(11, 'A')]);
    await clock.until(() => server.done.length === 1);
    const [second] = await other.outbox.add(project, [comment(11, 'B')]);
    one.kill();
    const outcome = inTime(other.outbox.outcome(second?.id ?? ''));
    assert.deepEqual(await outcome, { kind: 'sent' });
    assert.deepEqual(server.texts(11), ['A', 'B']);
  });

  it('is looked after by a window that was there before and has added nothing, when its own was killed', async () => {
    const [one, other] = [await open(), await open()];
    fates({ kind: 'late', wait: () => clock.wait(10 ** 9) });
    await one.outbox.add(project, [comment(11, 'A'), comment(11, 'B')]);
    await clock.until(() => server.done.length === 1);
    one.kill();
    await clock.advance(60_000);
    assert.deepEqual(server.texts(11), ['A', 'B']);
    assert.deepEqual(await left(other), []);
  });

  it('keeps a long answer from being taken over, the window being alive', async () => {
    const [one, other] = [await open(), await open()];
    fates({ kind: 'late', wait: () => clock.wait(5 * 60_000) });
    await one.outbox.add(project, [comment(11, 'A')]);
    await clock.advance(10);
    await other.open();
    await clock.advance(10 * 60_000);
    assert.deepEqual(server.asked, ['listNotes', 'addNote']);
    assert.deepEqual(await left(other), []);
  });

  it('posts a commit once, and none that its stories show', async () => {
    const window = await open();
    assert.deepEqual(await submit(window, link('abc', 11, 12)), [{ kind: 'sent' }]);
    assert.deepEqual(await submit(window, link('abc', 11)), [{ kind: 'sent', isRepeated: true }]);
    assert.deepEqual(server.done, ['link abc']);
  });

  it('tells of every change of its entries, of other windows’ too while something waits', async () => {
    const [one, other] = [await open(), await open()];
    const told: (readonly OutboxEntry[])[] = [];
    const stop = new AbortController();
    const following = other.outbox.follow({ onChange: (entries) => told.push(entries), signal: stop.signal });
    await clock.advance(1);
    server.fate = () => lost;
    await submit(other, comment(11, 'B'));
    server.fate = () => answered;
    await one.outbox.retry();
    await clock.advance(60_000);
    assert.deepEqual(told.at(-1), []);
    assert.ok(told.some(([entry]) => entry?.problem?.kind === 'unreachable'));
    stop.abort();
    await following;
  });

  it('tells who begins to follow while an entry is sent that it is gone', async () => {
    const window = await open();
    fates({ kind: 'late', wait: () => clock.wait(1000) });
    const [entry] = await window.outbox.add(project, [comment(11, 'A')]);
    await clock.advance(500);
    const told: (readonly OutboxEntry[])[] = [];
    void window.outbox.follow({ onChange: (entries) => told.push(entries) });
    await clock.advance(60_000);
    assert.deepEqual(
      told.map((entries) => entries.map(({ id, state }) => [id, state])),
      [[[entry?.id, 'sending']], []],
    );
  });

  it('is followed: entries of another window show, and are sent when that one was killed', async () => {
    const [one, other] = [await open(), await open()];
    const told: (readonly OutboxEntry[])[] = [];
    void other.outbox.follow({ onChange: (entries) => told.push(entries) });
    await clock.advance(1);
    fates({ kind: 'late', wait: () => clock.wait(10 ** 9) });
    await one.outbox.add(project, [comment(11, 'A'), comment(11, 'B')]);
    await clock.advance(6000);
    assert.equal(told.at(-1)?.length, 2);
    one.kill();
    await clock.advance(40_000);
    assert.deepEqual([server.texts(11), told.at(-1)], [['A', 'B'], []]);
  });

  it('is taken over from a file of a later version, entries that version alone knows staying there', async () => {
    server.fate = () => lost;
    const window = await open();
    await submit(window, comment(11, 'Typed'), rename(12, 'Two'));
    window.file.run((database) => {
      database.exec(`ALTER TABLE outbox ADD COLUMN mood TEXT; UPDATE outbox SET mood = 'good'`);
      database.exec(`INSERT INTO outbox (id, batch, accountId, address, project, intent, state, addedAt, attempts)
        SELECT 'new', 'b', accountId, address, project, '{"kind":"sing","storyId":11}', state, 0, 0 FROM outbox LIMIT 1`);
      database.exec('PRAGMA user_version = 9999');
    });
    window.kill();
    server.fate = () => answered;
    const next = await open();
    assert.equal(next.file.isKept, true);
    await clock.advance(15 * 60_000);
    assert.deepEqual(server.done, ['comment 11 Typed', 'edit 12 {"name":"Two"}']);
    assert.deepEqual(await left(next), []);
  });

  it('is taken over from a damaged file as far as it can be read', async () => {
    server.fate = () => lost;
    const window = await open();
    await submit(window, comment(11, 'Typed'));
    const { page, size } = window.file.run((database) => {
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      const root = database.prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'story'`).get();
      return { page: Number(root?.rootpage), size: Number(database.prepare('PRAGMA page_size').get()?.page_size) };
    });
    window.kill();
    const file = await openFile(machine.path, 'r+');
    await file.write(Buffer.alloc(size, 0xff), 0, size, (page - 1) * size);
    await file.close();
    server.fate = () => answered;
    const next = await open();
    next.file.run((database) => database.prepare('SELECT * FROM story').all());
    await next.open();
    await clock.advance(15 * 60_000);
    assert.deepEqual(server.done, ['comment 11 Typed']);
    assert.deepEqual(await left(next), []);
  });
});
