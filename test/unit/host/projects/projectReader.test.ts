import assert from 'node:assert/strict';
import { BacklogMirror } from '../../../../src/host/projects/backlogMirror.ts';
import { BacklogState } from '../../../../src/host/projects/backlogState.ts';
import { ProjectReader } from '../../../../src/host/projects/projectReader.ts';
import { aStory } from '../../../support/builders/builders.ts';
import {
  away,
  bakery,
  FakeAccounts,
  key,
  known,
  mill,
  projects,
  RememberingLog,
  replicaAccount,
  settled,
  whole,
} from './heldServers.ts';

describe('Reading the list of projects', () => {
  let accounts: FakeAccounts;
  let log: RememberingLog;
  let state: BacklogState;
  let reader: ProjectReader;
  /** What each change of the list made of it. */
  let told: (readonly string[])[];
  let listed: number;
  const shown = () => state.list.keys.map(({ accountId, projectId }) => `${accountId} ${projectId}`);
  const lists = (account: typeof bakery) => accounts.sync(account.id).lists;

  beforeEach(() => {
    accounts = new FakeAccounts();
    accounts.accounts = [bakery, mill];
    log = new RememberingLog();
    state = new BacklogState(new BacklogMirror({ accounts, replicaAccount }));
    reader = new ProjectReader({ accounts, state, log });
    told = [];
    listed = 0;
    state.onDidChange(() => told.push(shown()));
    reader.onDidList(() => listed++);
  });
  afterEach(() => {
    reader.dispose();
    state.dispose();
  });

  it('is not begun before someone wants it', async () => {
    await settled();
    assert.deepEqual([reader.isWanted, reader.isReading, lists(bakery).asked], [false, false, []]);
  });

  it('gives what the replica has at once when it knows all accounts; servers’ answers follow', async () => {
    accounts.replica.lists.set('bakery', known(20, ...projects(1).projects));
    accounts.replica.lists.set('mill', known(10, ...projects(5).projects));
    await reader.fill();
    assert.deepEqual([shown(), state.list.readAt, listed], [['bakery 1', 'mill 5'], 10, 1]);
    await settled();
    assert.ok(reader.isReading);
    await lists(bakery).answer(projects(1, 2));
    assert.deepEqual(told, [['bakery 1', 'bakery 2', 'mill 5']]);
    await lists(mill).answer(projects());
    assert.deepEqual(told.at(-1), ['bakery 1', 'bakery 2']);
    assert.equal(reader.isReading, false);
  });

  it('waits for servers when the replica does not know an account, though it gives what is known to who looks', async () => {
    accounts.replica.lists.set('bakery', projects(1));
    let isFilled = false;
    const filling = reader.fill().then(() => {
      isFilled = true;
    });
    await settled();
    assert.deepEqual([isFilled, shown(), reader.areAccountsChanged], [false, ['bakery 1'], true]);
    await lists(bakery).answer(projects(1));
    assert.equal(isFilled, false, 'an account is missing');
    await lists(mill).answer(projects(5));
    await filling;
    assert.deepEqual([shown(), reader.areAccountsChanged], [['bakery 1', 'mill 5'], false]);
  });

  it('is done, without the replica, with the first account that has projects', async () => {
    let isFilled = false;
    const filling = reader.fill().then(() => {
      isFilled = true;
    });
    await settled();
    await lists(mill).answer(projects());
    assert.deepEqual([isFilled, state.list.entries], [false, undefined], 'others may have some');
    await lists(bakery).answer(projects(1));
    await filling;
    assert.deepEqual(shown(), ['bakery 1']);
  });

  it('knows that there is no project when all have answered', async () => {
    const filling = reader.fill();
    await settled();
    await lists(mill).answer(projects());
    await lists(bakery).answer(projects());
    await filling;
    assert.deepEqual(state.list.entries, []);
  });

  it('asks nobody when nobody is signed in', async () => {
    accounts.accounts = [];
    await reader.fill();
    assert.deepEqual([state.list.entries, listed], [[], 1]);
  });

  it('asks servers where the replica cannot be read, which the log tells', async () => {
    accounts.replica.failure = new Error('The disk is full.');
    const filling = reader.fill();
    await settled();
    await lists(bakery).answer(projects(1));
    await filling;
    assert.deepEqual(shown(), ['bakery 1']);
    assert.match(log.warnings.join(), /local copy.*The disk is full/);
  });

  it('asks once for all who want it at the same time', async () => {
    const filling = Promise.all([reader.fill(), reader.fill()]);
    await settled();
    assert.deepEqual([lists(bakery).asked.length, lists(mill).asked.length], [1, 1]);
    await lists(bakery).answer(projects(1));
    await lists(mill).answer(projects());
    await filling;
    await reader.fill();
    assert.equal(lists(bakery).asked.length, 1);
  });

  it('asks again after someone signed in or out', async () => {
    await read(projects(1), projects(5));
    reader.noticeAccounts();
    const filling = reader.fill();
    await settled();
    assert.ok(reader.isReading);
    await lists(bakery).answer(projects(1));
    await lists(mill).answer(projects(6));
    await filling;
    assert.deepEqual(shown(), ['bakery 1', 'mill 6']);
  });

  it('keeps the projects of an account that cannot be asked, and tells why', async () => {
    await read(projects(1), projects(5));
    const reading = reader.read();
    await settled();
    await lists(mill).fail(away);
    await lists(bakery).answer(projects(2));
    await reading;
    assert.deepEqual(shown(), ['bakery 2', 'mill 5']);
    assert.deepEqual(
      state.list.failed.map(({ account, error }) => [account.id, error]),
      [['mill', away]],
    );
    assert.match(log.warnings.join(), /Mill: .*Nobody there/);
  });

  it('tells whose list is there as each answers, and who is still asked', async () => {
    const answered: string[] = [];
    const reading = reader.read((accountId) => answered.push(accountId));
    await settled();
    assert.deepEqual([reader.isAsking('bakery'), reader.isAsking('mill')], [true, true]);
    await lists(mill).answer(projects(5));
    assert.deepEqual([reader.isAsking('bakery'), reader.isAsking('mill')], [true, false]);
    assert.deepEqual([answered, shown()], [['mill'], ['mill 5']]);
    await lists(bakery).answer(projects(1));
    await reading;
    assert.deepEqual([answered, reader.isAsking('bakery')], [['mill', 'bakery'], false]);
  });

  it('drops late answers to a call that was overtaken, which waits for the later one', async () => {
    let isFirstDone = false;
    const first = reader.read().then(() => {
      isFirstDone = true;
    });
    await settled();
    const second = reader.read();
    await settled();
    await lists(bakery).answer(projects(8));
    await lists(mill).answer(projects(9));
    assert.deepEqual([isFirstDone, state.list.entries], [false, undefined]);
    await lists(bakery).answer(projects(1));
    await lists(mill).answer(projects(5));
    await Promise.all([first, second]);
    assert.deepEqual(shown(), ['bakery 1', 'mill 5']);
  });

  it('resolves when what is being read could not be', async () => {
    const reading = reader.read();
    await settled();
    await lists(bakery).fail(away);
    await lists(mill).fail(away);
    await Promise.all([reading, reader.settled()]);
    assert.deepEqual([state.list.entries, state.list.failed.length], [[], 2]);
  });

  it('forgets the backlogs of projects that are not in the list any more', async () => {
    accounts.replica.backlogs = whole('m1', aStory());
    await state.mirror.paint(key, () => undefined);
    await read(projects(1), projects());
    assert.ok(state.isKnown(key));
    await read(projects(2), projects());
    assert.equal(state.isKnown(key), false);
  });

  it('has the replica forget who signed out while nobody was there to do it', async () => {
    accounts.accounts = [mill];
    void reader.fill();
    await settled();
    assert.deepEqual(accounts.replica.kept, [replicaAccount(mill)]);
  });

  async function read(ofBakery: ReturnType<typeof projects>, ofMill: ReturnType<typeof projects>): Promise<void> {
    const reading = reader.read();
    await settled();
    await lists(bakery).answer(ofBakery);
    await lists(mill).answer(ofMill);
    await reading;
  }
});
