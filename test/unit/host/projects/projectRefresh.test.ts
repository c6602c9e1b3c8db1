import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { TrackerErrorKind } from '../../../../src/core/errors.ts';
import type { OutboxEntry } from '../../../../src/core/outbox/outbox.ts';
import { BacklogMirror } from '../../../../src/host/projects/backlogMirror.ts';
import { BacklogReader } from '../../../../src/host/projects/backlogReader.ts';
import { BacklogState } from '../../../../src/host/projects/backlogState.ts';
import { ProjectReader } from '../../../../src/host/projects/projectReader.ts';
import { ProjectRefresh } from '../../../../src/host/projects/projectRefresh.ts';
import { UnsentChanges } from '../../../../src/host/projects/unsentChanges.ts';
import { aStory } from '../../../support/builders/builders.ts';
import {
  additions,
  away,
  bakery,
  FakeAccounts,
  key,
  mill,
  namesIn,
  projects,
  RememberingLog,
  replicaAccount,
  settled,
  whole,
} from './heldServers.ts';

const millKey = { accountId: 'mill', projectId: 5 };
const bread = aStory({ id: 11, name: 'Bread' });

describe('Bringing projects up to date', () => {
  let accounts: FakeAccounts;
  let log: RememberingLog;
  let state: BacklogState;
  let projectReader: ProjectReader;
  let reader: BacklogReader;
  let refreshing: ProjectRefresh;
  let told: unknown[];
  const shown = () => state.list.keys.map(({ accountId, projectId }) => `${accountId} ${projectId}`);
  const lists = (account: typeof bakery) => accounts.sync(account.id).lists;
  const refreshes = (account: typeof bakery) => accounts.sync(account.id).refreshes;

  beforeEach(() => {
    accounts = new FakeAccounts();
    accounts.accounts = [bakery, mill];
    log = new RememberingLog();
    state = new BacklogState(new BacklogMirror({ accounts, replicaAccount }));
    reader = new BacklogReader({ state, log });
    projectReader = new ProjectReader({ accounts, state, log });
    refreshing = new ProjectRefresh({ accounts, state, projectReader, reader, log });
    told = [];
    state.onDidChange((changed) => told.push(changed));
  });
  afterEach(() => {
    mock.timers.reset();
    for (const one of [refreshing, projectReader, reader, state]) one.dispose();
  });

  /** Both lists are there; the bakery's backlog is loaded, the mill's is not. */
  async function opened(): Promise<void> {
    const reading = projectReader.read();
    await settled();
    await lists(bakery).answer(projects(1));
    await lists(mill).answer(projects(5));
    await reading;
    accounts.replica.backlogs = whole('m1', bread);
    await state.mirror.paint(key, () => undefined);
    accounts.replica.backlogs = undefined;
    told = [];
  }

  describe('when a person asks', () => {
    it('reads an account’s loaded backlogs as soon as its own list is there', async () => {
      await opened();
      const refresh = refreshing.refresh({ isAskedFor: true });
      await settled();
      assert.equal(refreshes(bakery).open, 0);
      await lists(bakery).answer(projects(1));
      assert.deepEqual(
        refreshes(bakery).asked.map(({ isAskedFor, isListed, mark }) => [isAskedFor, isListed, mark]),
        [[true, true, 'm1']],
      );
      await refreshes(bakery).answer(additions('m2', { ...bread, name: 'Rolls' }));
      assert.deepEqual(namesIn(state.peek(key)), ['Rolls']);
      await lists(mill).answer(projects(5));
      await refresh;
      assert.equal(refreshes(mill).asked.length, 0, 'nobody looks at it');
    });

    it('counts the time that backlogs may take from the moment on when it was asked', async () => {
      await opened();
      mock.timers.enable({ apis: ['Date'], now: 1_000_000 });
      const done = refreshing.refresh();
      await settled();
      mock.timers.tick(30_000);
      await lists(mill).answer(projects(5));
      await lists(bakery).answer(projects(1));
      assert.deepEqual(
        refreshes(bakery).asked.map(({ waitingSince }) => waitingSince),
        [1_000_000],
      );
      await refreshes(bakery).answer(additions('m2'));
      await done;
    });

    it('reads a backlog again that is being read for the first time, and ends with that', async () => {
      await opened();
      const first = reader.read(millKey, {});
      await settled();
      let isDone = false;
      const asks = [refreshing.refresh({ isAskedFor: true }), refreshing.refresh({ isAskedFor: true })];
      const done = Promise.all(asks).then(() => {
        isDone = true;
      });
      await settled();
      for (const account of [bakery, bakery]) await lists(account).answer(projects(1));
      for (const account of [mill, mill]) await lists(account).answer(projects(5));
      // The list was there once more for who asked first.
      await refreshes(bakery).answer(additions('m2'));
      await refreshes(bakery).answer(additions('m3'));
      await refreshes(mill).answer(whole('n1', bread));
      await first;
      assert.deepEqual([isDone, namesIn(state.peek(millKey))], [false, ['Bread']]);
      await refreshes(mill).answer(additions('n2', { ...bread, name: 'Flour' }));
      await done;
      assert.deepEqual(namesIn(state.peek(millKey)), ['Flour']);
      assert.deepEqual(
        refreshes(mill).asked.map(({ mark, isAskedFor }) => [mark, isAskedFor]),
        [
          [undefined, undefined],
          ['n1', true],
        ],
      );
    });

    it('reads no backlogs of an account whose list cannot be read', async () => {
      await opened();
      const refresh = refreshing.refresh();
      await settled();
      await lists(bakery).fail(away);
      await lists(mill).answer(projects(5));
      await refresh;
      assert.deepEqual([refreshes(bakery).asked.length, namesIn(state.peek(key))], [0, ['Bread']]);
    });

    it('is done though a backlog cannot be read, which is told', async () => {
      await opened();
      const refresh = refreshing.refresh();
      await settled();
      await lists(bakery).answer(projects(1));
      await lists(mill).answer(projects(5));
      await refreshes(bakery).fail(away);
      await refresh;
      assert.deepEqual(
        state.list.failures.map(({ account, error }) => [account.id, error]),
        [['bakery', away]],
      );
      assert.deepEqual(namesIn(state.peek(key)), ['Bread']);
    });

    it('reads backlogs, too, when a later reading told the list instead', async () => {
      await opened();
      const refresh = refreshing.refresh();
      await settled();
      const later = projectReader.read();
      await settled();
      await lists(bakery).answer(projects(8));
      await lists(mill).answer(projects(9));
      assert.equal(refreshes(bakery).asked.length, 0, 'its list is late');
      await lists(bakery).answer(projects(1));
      await lists(mill).answer(projects(5));
      await later;
      await settled();
      assert.equal(refreshes(bakery).open, 1);
      await refreshes(bakery).answer(additions('m2'));
      await refresh;
    });
  });

  describe('when someone signs in or out', () => {
    it('asks servers for nothing before anyone wants to see something', async () => {
      await accounts.change(bakery);
      assert.deepEqual([lists(bakery).asked, told], [[], [undefined]]);
    });

    it('reads the lists anew, and has the replica forget who signed out', async () => {
      await opened();
      await accounts.change(mill);
      assert.deepEqual(accounts.replica.kept, [replicaAccount(mill)]);
      assert.ok(projectReader.areAccountsChanged);
      await lists(mill).answer(projects(5, 6));
      assert.deepEqual([shown(), projectReader.areAccountsChanged], [['mill 5', 'mill 6'], false]);
      assert.equal(state.isKnown(key), false, 'its backlog is forgotten');
    });

    it('keeps what it knows of the others while their servers are silent', async () => {
      await opened();
      await accounts.change(mill, bakery);
      assert.deepEqual(shown(), ['bakery 1', 'mill 5']);
      await lists(bakery).answer(projects(1));
      assert.deepEqual(shown(), ['mill 5', 'bakery 1']);
    });

    it('is told nothing any more after it was disposed', async () => {
      await opened();
      refreshing.dispose();
      await accounts.change(mill);
      assert.deepEqual([lists(mill).asked.length, accounts.replica.kept], [1, undefined]);
    });
  });

  describe('when a server is back', () => {
    it('reads what is missing once it has answered anything', async () => {
      await opened();
      const reading = projectReader.read();
      await settled();
      await lists(bakery).fail(away);
      await lists(mill).answer(projects(5));
      await reading;
      const read = reader.read(key, {});
      await settled();
      await refreshes(bakery).answer(additions('m2'));
      await read;
      await lists(bakery).answer(projects(1, 2));
      await lists(mill).answer(projects(5));
      assert.deepEqual([shown(), state.list.failures], [['bakery 1', 'bakery 2', 'mill 5'], []]);
    });

    it('reads the projects again that could not be read while it was away', async () => {
      await opened();
      state.list.markUnread(key, away);
      const second = { accountId: 'bakery', projectId: 2 };
      const read = reader.read(second, {});
      await settled();
      await refreshes(bakery).answer(whole('n1'));
      await read;
      await lists(bakery).answer(projects(1, 2));
      await lists(mill).answer(projects(5));
      assert.deepEqual(
        refreshes(bakery).asked.map(({ project, isListed }) => [project.projectId, isListed]),
        [
          [2, undefined],
          [1, true],
        ],
      );
      await refreshes(bakery).answer(additions('m2'));
      assert.deepEqual(state.list.failures, []);
    });

    it('leaves it to the list that is just being read', async () => {
      await opened();
      const listing = projectReader.read();
      const read = reader.read(millKey, {});
      await settled();
      state.list.follow([{ account: mill, error: away, unread: new Map() }]);
      await refreshes(mill).answer(whole('n1'));
      await read;
      assert.equal(lists(mill).asked.length, 2);
      await lists(bakery).answer(projects(1));
      await lists(mill).answer(projects(5));
      await listing;
    });

    it('reads no more for an answer when nothing is missing, or for another reason than that it was away', async () => {
      await opened();
      state.list.markUnread(key, new Error('The project is broken.'));
      const read = reader.read({ accountId: 'bakery', projectId: 2 }, {});
      await settled();
      await refreshes(bakery).answer(whole('n1'));
      await read;
      await settled();
      assert.equal(lists(bakery).asked.length, 1);
    });
  });

  describe('when something is found out without being asked for', () => {
    const listedAgain = { account: bakery, listed: projects(1, 2), unread: new Map() };

    it('takes it over', async () => {
      await opened();
      refreshing.follow([listedAgain]);
      assert.deepEqual([shown(), told], [['bakery 1', 'bakery 2', 'mill 5'], [undefined]]);
    });

    it('forgets the backlogs of projects that are gone', async () => {
      await opened();
      refreshing.follow([{ ...listedAgain, listed: projects(2) }]);
      assert.equal(state.isKnown(key), false);
    });

    it('takes nothing over before there is a list, or after someone signed in', async () => {
      refreshing.follow([listedAgain]);
      assert.deepEqual([state.list.entries, told], [undefined, []]);
      await opened();
      projectReader.noticeAccounts();
      refreshing.follow([listedAgain]);
      assert.deepEqual([shown(), told], [['bakery 1', 'mill 5'], []]);
    });

    it('leaves out accounts that this window is just asking', async () => {
      await opened();
      const reading = projectReader.read();
      await settled();
      await lists(mill).answer(projects(5));
      told = [];
      refreshing.follow([listedAgain]);
      assert.deepEqual([shown(), told], [['bakery 1', 'mill 5'], []]);
      refreshing.follow([listedAgain, { account: mill, listed: projects(6), unread: new Map() }]);
      assert.deepEqual(shown(), ['bakery 1', 'mill 6']);
      await lists(bakery).answer(projects(1));
      await reading;
    });

    it('sends what waited for a server that is back, and nothing that waits for another reason', async () => {
      await opened();
      const unsent = new UnsentChanges();
      unsent.attended = [bakery, mill].map(replicaAccount);
      unsent.update([
        anEntry('e1', key, 'unreachable'),
        anEntry('e2', key, 'unauthorized'),
        anEntry('e3', millKey, 'unreachable'),
        { ...anEntry('e4', key, 'refused'), state: 'failed' },
        anEntry('e5', key, 'timeout'),
        // Sooner than the server asked for, and with its failures counted from the beginning.
        anEntry('e6', key, 'busy'),
        anEntry('e7', key, 'server'),
      ]);
      state.unsent = unsent;
      refreshing.follow([{ account: bakery, error: away, unread: new Map() }]);
      await settled();
      assert.deepEqual(accounts.outbox.retried, []);
      refreshing.follow([{ account: bakery, unread: new Map() }]);
      await settled();
      assert.deepEqual(accounts.outbox.retried, [['e1', 'e5']]);
    });
  });
});

function anEntry(id: string, { accountId, projectId }: typeof key, kind: TrackerErrorKind): OutboxEntry {
  const address = accountId === 'bakery' ? 'https://bakery.example' : 'https://mill.example';
  const project = { accountId, address, projectId };
  const intent = { kind: 'comment', storyId: 11, text: 'Later.' } as const;
  return { id, place: 1, project, intent, state: 'waiting', addedAt: 0, attempts: 1, problem: { kind, message: kind } };
}
