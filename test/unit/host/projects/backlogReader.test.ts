import assert from 'node:assert/strict';
import type { OutboxEntry } from '../../../../src/core/outbox/outbox.ts';
import { BacklogMirror } from '../../../../src/host/projects/backlogMirror.ts';
import { BacklogReader } from '../../../../src/host/projects/backlogReader.ts';
import { BacklogState } from '../../../../src/host/projects/backlogState.ts';
import { UnsentChanges } from '../../../../src/host/projects/unsentChanges.ts';
import { aBacklog, anIteration, aProject, aStory } from '../../../support/builders/builders.ts';
import {
  additions,
  away,
  FakeAccounts,
  type HeldSync,
  key,
  namesIn,
  RememberingLog,
  replicaAccount,
  settled,
  whole,
  wholeOf,
} from './heldServers.ts';

const other = { accountId: 'bakery', projectId: 2 };
const bread = aStory({ id: 11, name: 'Bread' });

describe('Reading backlogs', () => {
  let accounts: FakeAccounts;
  let log: RememberingLog;
  let state: BacklogState;
  let reader: BacklogReader;
  let server: HeldSync;
  /** What each change that was told made of the backlog. */
  let told: unknown[];
  const shown = () => namesIn(state.peek(key));

  beforeEach(() => {
    accounts = new FakeAccounts();
    log = new RememberingLog();
    state = new BacklogState(new BacklogMirror({ accounts, replicaAccount }));
    reader = new BacklogReader({ state, log });
    server = accounts.sync('bakery');
    told = [];
    state.onDidChange((changed) => changed && told.push(namesIn(state.peekSome(changed))));
  });
  afterEach(() => {
    reader.dispose();
    state.dispose();
  });

  /** The backlog is there, as if it had been read before. */
  async function loaded(): Promise<void> {
    const reading = reader.read(key, {});
    await settled();
    await server.refreshes.answer(whole('m1', bread));
    await reading;
    told = [];
  }

  it('shows what the replica has at once and tells of it, then what the server answers', async () => {
    accounts.replica.backlogs = whole('m1', bread);
    await reader.fill(key);
    assert.deepEqual([shown(), told], [['Bread'], [['Bread']]]);
    await settled();
    assert.deepEqual(
      server.refreshes.asked.map(({ mark }) => mark),
      ['m1'],
    );
    await server.refreshes.answer(additions('m2', { ...bread, name: 'Rolls' }));
    assert.deepEqual([shown(), told], [['Rolls'], [['Bread'], ['Rolls']]]);
  });

  it('waits for the server where the replica has nothing', async () => {
    let isFilled = false;
    const filling = reader.fill(key).then(() => {
      isFilled = true;
    });
    await settled();
    assert.deepEqual([isFilled, server.refreshes.open], [false, 1]);
    await server.refreshes.answer(whole('m1', bread));
    await filling;
    assert.deepEqual(shown(), ['Bread']);
  });

  it('asks the server where the replica cannot be read, which the log tells', async () => {
    accounts.replica.failure = new Error('The disk is full.');
    const filling = reader.fill(key);
    await settled();
    await server.refreshes.answer(whole('m1', bread));
    await filling;
    assert.deepEqual(shown(), ['Bread']);
    assert.match(log.warnings[0] ?? '', /local copy.*The disk is full/);
  });

  it('asks nobody for what is there', async () => {
    await loaded();
    await reader.fill(key);
    await settled();
    assert.equal(server.refreshes.asked.length, 1);
  });

  it('takes the answer that is on its way when the backlog is first wanted', async () => {
    const reading = reader.read(key, {});
    const filling = reader.fill(key);
    await settled();
    await server.refreshes.answer(whole('m1', bread));
    await Promise.all([reading, filling]);
    assert.deepEqual([server.refreshes.asked.length, shown()], [1, ['Bread']]);
  });

  it('asks once for all who first want the backlog at the same time', async () => {
    const filling = Promise.all([reader.fill(key), reader.fill(key)]);
    await settled();
    await server.refreshes.answer(whole('m1', bread));
    await filling;
    assert.deepEqual([server.refreshes.asked.length, shown()], [1, ['Bread']]);
  });

  it('asks again for a backlog that is wanted when the call under way fails', async () => {
    const failing = assert.rejects(reader.read(key, {}), away);
    const filling = reader.fill(key);
    await settled();
    await server.refreshes.fail(away);
    await failing;
    await server.refreshes.answer(whole('m1', bread));
    await filling;
    assert.deepEqual(shown(), ['Bread']);
  });

  it('reads a project once at a time, each call with an answer of its own, and others at the same time', async () => {
    const both = Promise.all([reader.read(key, {}), reader.read(key, {})]);
    void reader.read(other, {});
    await settled();
    assert.deepEqual(
      server.refreshes.asked.map(({ project }) => project.projectId),
      [1, 2],
    );
    await server.refreshes.answer(whole('m1', bread));
    assert.deepEqual(
      server.refreshes.asked.map(({ project, mark }) => [project.projectId, mark]),
      [
        [1, undefined],
        [2, undefined],
        [1, 'm1'],
      ],
    );
    await server.refreshes.answer(additions('m2', { ...bread, name: 'Rolls' }), 1);
    await both;
    assert.deepEqual(shown(), ['Rolls']);
  });

  it('reads once more for all who ask while a read is under way, as each of them needs it', async () => {
    const first = reader.read(key, {});
    await settled();
    const more = [
      reader.read(key, { isListed: true, isAskedFor: true, waitingSince: 1000 }),
      reader.read(key, { isListed: true, waitingSince: 2000 }),
      reader.read(key, { isListed: true, waitingSince: 3000 }),
    ];
    await server.refreshes.answer(whole('m1', bread));
    await first;
    assert.deepEqual(
      server.refreshes.asked.slice(1).map(({ mark, isListed, isAskedFor, isWritten, waitingSince }) => {
        return { mark, isListed, isAskedFor, isWritten, waitingSince };
      }),
      [{ mark: 'm1', isListed: true, isAskedFor: true, isWritten: undefined, waitingSince: 3000 }],
    );
    // Who asks now may wait for what that one has not seen.
    const late = [reader.reload(key), reader.read(key, { isListed: true })];
    await server.refreshes.answer(additions('m2', { ...bread, name: 'Rolls' }));
    await Promise.all(more);
    assert.deepEqual(shown(), ['Rolls']);
    assert.deepEqual(
      server.refreshes.asked.slice(2).map(({ mark, isListed, isWritten }) => [mark, isListed, isWritten]),
      [['m2', false, true]],
    );
    await server.refreshes.answer(additions('m3', { ...bread, name: 'Baguettes' }));
    await Promise.all(late);
    assert.deepEqual([shown(), server.refreshes.asked.length, reader.isReading(key)], [['Baguettes'], 3, false]);
  });

  it('fails all who share a read that fails, and reads again for the next', async () => {
    const first = reader.read(key, {});
    await settled();
    const failing = [reader.read(key, {}), reader.read(key, {})].map((read) => assert.rejects(read, away));
    await server.refreshes.answer(whole('m1', bread));
    await first;
    await server.refreshes.fail(away);
    await Promise.all(failing);
    const next = reader.read(key, {});
    await settled();
    await server.refreshes.answer(additions('m2'));
    await next;
    assert.equal(server.refreshes.asked.length, 3);
  });

  it('reads for who asked second though the first call fails', async () => {
    const failing = assert.rejects(reader.read(key, {}), away);
    const second = reader.read(key, {});
    await settled();
    await server.refreshes.fail(away);
    await failing;
    await server.refreshes.answer(whole('m1', bread));
    await second;
    assert.deepEqual(shown(), ['Bread']);
  });

  it('keeps what is shown when reading fails, and tells of it until it goes well', async () => {
    await loaded();
    const failing = assert.rejects(reader.read(key, {}), away);
    await settled();
    await server.refreshes.fail(away);
    await failing;
    assert.deepEqual([shown(), state.list.errorOf(key), told.length], [['Bread'], away, 1]);
    assert.match(log.warnings.join(), /project 1: .*Nobody there/);
    const reading = reader.read(key, {});
    await settled();
    await server.refreshes.answer(additions('m2'));
    await reading;
    assert.deepEqual([state.list.isUnread(key), told.length], [false, 2]);
  });

  it('tells of nothing when nothing is shown otherwise', async () => {
    await loaded();
    const reading = reader.read(key, {});
    await settled();
    await server.refreshes.answer(additions('m2'));
    await reading;
    assert.deepEqual(told, []);
  });

  it('tells of the current iteration while the rest still comes', async () => {
    const reading = reader.read(key, {});
    await settled();
    server.refreshes.asked[0]?.onFirst?.({ project: aProject(), iteration: anIteration({ stories: [bread] }) });
    assert.deepEqual([told, shown()], [[['Bread']], undefined]);
    await server.refreshes.answer(whole('m1', bread, aStory({ id: 12, name: 'Cake' })));
    await reading;
    assert.deepEqual(told, [['Bread'], ['Bread', 'Cake']]);
  });

  it('tells of the current iteration of a long local copy, then of all of it', async () => {
    accounts.replica.isHeld = true;
    void reader.fill(key);
    await settled();
    accounts.replica.reads.asked[0]?.onFirst?.({ project: aProject(), iteration: anIteration({ stories: [bread] }) });
    await accounts.replica.reads.answer(whole('m1', bread, aStory({ id: 12, name: 'Cake' })));
    assert.deepEqual(told, [['Bread'], ['Bread', 'Cake']]);
  });

  it('asks no server again because of the local copy while it is asked already', async () => {
    accounts.replica.isHeld = true;
    void reader.read(key, {});
    void reader.fill(key);
    await settled();
    await accounts.replica.reads.answer(whole('m1', bread));
    await server.refreshes.answer(whole('m2', bread));
    assert.deepEqual([server.refreshes.asked.length, shown()], [1, ['Bread']]);
  });

  it('tells that a server answered, but not when its list of projects did just before', async () => {
    const answered: unknown[] = [];
    reader.onDidAnswer((one) => answered.push(one));
    await loaded();
    assert.deepEqual(answered, [key]);
    const reading = reader.read(key, { isListed: true });
    await settled();
    await server.refreshes.answer(additions('m2'));
    await reading;
    assert.deepEqual(answered, [key]);
  });

  it('has the server not believed that tells of nothing, after something was written', async () => {
    void reader.reload(key);
    await settled();
    assert.equal(server.refreshes.asked[0]?.isWritten, true);
  });

  it('shows changes until the answer to a call that began after they were taken', async () => {
    const unsent = new UnsentChanges();
    state.unsent = unsent;
    await loaded();
    const entry = anEntry('Rolls');
    const early = reader.read(key, {});
    await settled();
    unsent.ownOf(key).addAnswered([entry]);
    assert.deepEqual(shown(), ['Rolls']);
    await server.refreshes.answer(additions('m2'));
    await early;
    assert.deepEqual(shown(), ['Rolls'], 'the server may not have had it when it was asked');
    const late = reader.read(key, {});
    await settled();
    await server.refreshes.answer(additions('m3', { ...bread, name: 'Rolls!' }));
    await late;
    assert.deepEqual(shown(), ['Rolls!']);
  });

  it('follows the replica where a backlog is shown, and nowhere else', async () => {
    accounts.replica.backlogs = whole('m1', bread);
    await reader.follow(key);
    assert.deepEqual([shown(), told], [undefined, []]);
    await loaded();
    accounts.replica.backlogs = additions('m2', { ...bread, name: 'Rolls' });
    await reader.follow(key);
    assert.deepEqual([shown(), told], [['Rolls'], [['Rolls']]]);
    accounts.replica.backlogs = additions('m3');
    await reader.follow(key);
    assert.equal(told.length, 1);
  });

  it('follows the replica where a backlog could not be read', async () => {
    state.list.markUnread(key, away);
    accounts.replica.backlogs = whole('m1', bread);
    await reader.follow(key);
    assert.deepEqual(shown(), ['Bread']);
  });

  it('follows the replica only after the answer that is on its way', async () => {
    await loaded();
    accounts.replica.isHeld = true;
    const reading = reader.read(key, {});
    const following = reader.follow(key);
    await settled();
    assert.equal(accounts.replica.reads.asked.length, 0);
    await server.refreshes.answer(additions('m2'));
    assert.equal(accounts.replica.reads.asked[0]?.mark, 'm2');
    await accounts.replica.reads.answer(undefined);
    await Promise.all([reading, following]);
  });

  it('tells of done iterations that were read', async () => {
    await loaded();
    const reading = reader.readMoreDone(key);
    await settled();
    const done = [anIteration({ number: 2, stories: [aStory({ id: 5, name: 'Porridge' })] })];
    await server.pages.answer(wholeOf('m2', aBacklog({ iterations: [anIteration({ stories: [bread] })], done })));
    await reading;
    assert.deepEqual(told, [['Porridge', 'Bread']]);
  });
});

/** Story 11 gets this name. */
function anEntry(name: string): OutboxEntry {
  const project = { accountId: 'bakery', address: 'https://bakery.example', projectId: 1 };
  const intent = { kind: 'edit', storyId: 11, edit: { name } } as const;
  return { id: 'e1', place: 1, project, intent, state: 'waiting', addedAt: 0, attempts: 0 };
}
