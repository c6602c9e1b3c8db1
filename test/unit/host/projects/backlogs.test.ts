import assert from 'node:assert/strict';
import { TrackerError } from '../../../../src/core/errors.ts';
import type { RenumberedStory } from '../../../../src/core/story/importReport.ts';
import type { Story } from '../../../../src/core/story/story.ts';
import { Backlogs } from '../../../../src/host/projects/backlogs.ts';
import { aBacklog, anIteration, aProject, aStory } from '../../../support/builders/builders.ts';
import {
  additions,
  away,
  bakery,
  FakeAccounts,
  key,
  known,
  mill,
  namesIn,
  projects,
  RememberingLog,
  replicaAccount,
  settled,
  whole,
  wholeOf,
} from './heldServers.ts';

const bread = aStory({ id: 11, name: 'Bread' });
const texts = { noProject: 'None yet.', goneProject: 'Gone.', unsentStory: 'Not there yet.', signedOut: 'Signed out.' };
const rename = { kind: 'edit', storyId: 11, edit: { name: 'Rolls' } } as const;

describe('Backlogs', () => {
  let accounts: FakeAccounts;
  let backlogs: Backlogs;
  /** What each project's server was asked for by story id, and what it answers; not found when it is not there. */
  let storiesAsked: string[];
  let served: Map<string, Story | TrackerError>;
  const refreshes = () => accounts.sync('bakery').refreshes;
  const lists = (account: typeof bakery) => accounts.sync(account.id).lists;
  const shown = () => namesIn(backlogs.peek(key));

  beforeEach(() => {
    accounts = new FakeAccounts();
    storiesAsked = [];
    served = new Map();
    accounts.trackers = (accountId) => ({
      getStory: async ({ projectId, storyId }) => {
        const place = `${accountId} ${projectId} ${storyId}`;
        storiesAsked.push(place);
        const answer = served.get(place) ?? new TrackerError('notFound', 'No such story.');
        if (answer instanceof TrackerError) throw answer;
        return answer;
      },
    });
    backlogs = new Backlogs({ accounts, replicaAccount, texts, log: new RememberingLog() });
  });
  afterEach(() => {
    backlogs.dispose();
  });

  /** The project and its backlog are there, and nothing is on its way. */
  async function opened(...stories: readonly Story[]): Promise<void> {
    accounts.replica.lists.set('bakery', projects(1));
    accounts.replica.backlogs = whole('m1', ...stories);
    await backlogs.projects();
    await settled();
    await lists(bakery).answer(projects(1));
    await backlogs.backlog(key);
    await settled();
    await refreshes().answer(additions('m1'));
  }

  it('are what this machine has, then what the server answers', async () => {
    accounts.replica.lists.set('bakery', projects(1));
    accounts.replica.backlogs = whole('m1', bread);
    assert.deepEqual(
      (await backlogs.all()).map(({ backlog }) => namesIn(backlog)),
      [['Bread']],
    );
    await settled();
    await refreshes().answer(additions('m2', { ...bread, name: 'Rolls' }));
    assert.deepEqual(shown(), ['Rolls']);
  });

  it('have something to show as soon as the first iteration is there, and then the rest', async () => {
    const some = backlogs.some(key);
    const all = backlogs.backlog(key);
    await settled();
    refreshes().asked[0]?.onFirst?.({ project: aProject(), iteration: anIteration({ stories: [bread] }) });
    assert.deepEqual([namesIn(await some), shown()], [['Bread'], undefined]);
    await refreshes().answer(whole('m1', bread, aStory({ id: 12, name: 'Cake' })));
    assert.deepEqual(namesIn(await all), ['Bread', 'Cake']);
    assert.deepEqual(namesIn(await backlogs.some(key)), ['Bread', 'Cake']);
  });

  it('tell why there is nothing to show', async () => {
    const [some, all] = [backlogs.some(key), backlogs.backlog(key)];
    const failing = Promise.all([assert.rejects(some, away), assert.rejects(all, away)]);
    await settled();
    await refreshes().fail(away);
    await refreshes().fail(away);
    await failing;
  });

  it('tell in a sentence that a project is gone when the answer only adds to what is no longer known', async () => {
    const failing = assert.rejects(backlogs.backlog(key), { message: 'Gone.' });
    await settled();
    await refreshes().answer(additions('m7'));
    await failing;
  });

  it('fire for the project that changed, and for the list', async () => {
    await opened(bread);
    const told: unknown[] = [];
    const listening = backlogs.onDidChange((one) => told.push(one));
    served.set('bakery 1 11', { ...bread, name: 'Rolls' });
    await backlogs.refreshStory(key, 11);
    backlogs.follow([{ account: bakery, unread: new Map() }]);
    listening.dispose();
    await backlogs.refreshStory(key, 11);
    assert.deepEqual(told, [key, undefined]);
  });

  it('have done iterations that are asked for', async () => {
    await opened(bread);
    const reading = backlogs.loadMoreDone(key);
    await settled();
    const done = [anIteration({ number: 2, stories: [aStory({ id: 5, name: 'Porridge' })] })];
    await accounts.sync('bakery').pages.answer(wholeOf('m2', aBacklog({ done })));
    await reading;
    assert.deepEqual(shown(), ['Porridge']);
  });

  describe('when a story is asked for', () => {
    it('ask no server for one that is loaded', async () => {
      await opened(bread);
      assert.deepEqual(await backlogs.story(11), { key, story: backlogs.peekStory(11)?.story });
      assert.equal(backlogs.peekStory(11)?.story.name, 'Bread');
      assert.deepEqual(storiesAsked, []);
    });

    it('ask each project for one that is not loaded', async () => {
      await openedTwo();
      served.set('mill 5 77', aStory({ id: 77, name: 'Flour' }));
      const found = await backlogs.story(77);
      assert.deepEqual([found?.key, found?.story.name], [{ accountId: 'mill', projectId: 5 }, 'Flour']);
      assert.deepEqual(storiesAsked, ['bakery 1 77', 'mill 5 77']);
    });

    it('ask only where it is meant, and take no story of the same id from elsewhere', async () => {
      await openedTwo();
      const where = { accountId: 'mill' };
      assert.deepEqual([backlogs.peekStory(11)?.key, backlogs.peekStory(11, where)], [key, undefined]);
      assert.equal(await backlogs.story(11, where), undefined);
      assert.deepEqual(storiesAsked, ['mill 5 11']);
    });

    it('have none that no project has', async () => {
      await opened(bread);
      assert.equal(await backlogs.story(404), undefined);
    });

    it('tell of a server that could not be asked only when no other has the story', async () => {
      await openedTwo();
      served.set('bakery 1 77', away);
      await assert.rejects(backlogs.story(77), away);
      served.set('mill 5 77', aStory({ id: 77, name: 'Flour' }));
      assert.equal((await backlogs.story(77))?.story.name, 'Flour');
    });

    it('tell of an account whose projects are not known', async () => {
      const reading = backlogs.projects();
      await settled();
      await lists(bakery).fail(away);
      await reading;
      await assert.rejects(backlogs.story(77), away);
    });

    it('wait for the list that is just being read: the local one may lack what is new', async () => {
      accounts.replica.lists.set('bakery', projects());
      const asking = backlogs.story(77);
      await settled();
      served.set('bakery 9 77', aStory({ id: 77, name: 'New' }));
      await lists(bakery).answer(projects(9));
      assert.equal((await asking)?.story.name, 'New');
    });

    it('show one that was read again', async () => {
      await opened(bread);
      served.set('bakery 1 11', { ...bread, name: 'Rolls' });
      assert.equal((await backlogs.refreshStory(key, 11)).name, 'Rolls');
      assert.deepEqual(shown(), ['Rolls']);
    });

    /** The bakery's project is loaded, the mill's is listed. */
    async function openedTwo(): Promise<void> {
      accounts.accounts = [bakery, mill];
      accounts.replica.lists.set('mill', projects(5));
      await opened(bread);
      await lists(mill).answer(projects(5));
    }
  });

  describe('when a story had another id before its project was moved', () => {
    let asked: number;
    let renumbered: readonly RenumberedStory[] | TrackerError;
    const cake = aStory({ id: 12, name: 'Cake' });
    const ids = (id: number) => backlogs.peekStories(id).map(({ story }) => story.id);

    beforeEach(() => {
      asked = 0;
      renumbered = [{ formerId: 7, storyId: 12, projectId: 1 }];
      const { trackers } = accounts;
      accounts.trackers = (accountId) => ({
        ...trackers(accountId),
        renumberedStories: async () => {
          asked += 1;
          if (renumbered instanceof TrackerError) throw renumbered;
          return renumbered;
        },
      });
    });

    it('find it by that id, behind the one that has the id now', async () => {
      await opened(bread, cake);
      assert.deepEqual(ids(7), [], 'before the server is asked');
      await backlogs.readFormerIds();
      assert.deepEqual([ids(7), ids(12), backlogs.peekStory(7)], [[12], [12], undefined]);
      assert.deepEqual((await backlogs.story(7))?.story.name, 'Cake');
      renumbered = [{ formerId: 11, storyId: 12, projectId: 1 }];
      const refreshing = backlogs.refresh();
      await settled();
      await lists(bakery).answer(projects(1));
      await refreshes().answer(additions('m2'));
      await refreshing;
      await backlogs.readFormerIds();
      assert.deepEqual([ids(7), ids(11)], [[], [11, 12]]);
      assert.deepEqual((await backlogs.story(11))?.story.name, 'Bread');
    });

    it('ask the server once, and tell when there are some', async () => {
      await opened(bread, cake);
      const told: unknown[] = [];
      backlogs.onDidChange((one) => told.push(one));
      await Promise.all([backlogs.readFormerIds(), backlogs.readFormerIds(), backlogs.story(404)]);
      await backlogs.story(405, key);
      assert.deepEqual([asked, told], [1, [undefined]]);
    });

    it('ask for it where it is not loaded', async () => {
      await opened(bread);
      served.set('bakery 1 12', cake);
      assert.equal((await backlogs.story(7))?.story.name, 'Cake');
      assert.deepEqual(storiesAsked, ['bakery 1 7', 'bakery 1 12']);
    });

    it('find none where several had it, and none of a project that is gone', async () => {
      await opened(bread, cake);
      renumbered = [
        { formerId: 7, storyId: 11, projectId: 1 },
        { formerId: 7, storyId: 12, projectId: 1 },
        { formerId: 8, storyId: 90, projectId: 2 },
      ];
      assert.deepEqual([await backlogs.story(7), await backlogs.story(8)], [undefined, undefined]);
      assert.deepEqual([ids(7), ids(8)], [[11, 12], []]);
    });

    it('ask a server that offers nothing of the kind no more', async () => {
      await opened(bread, cake);
      renumbered = new TrackerError('notFound', 'Resource not found');
      await backlogs.readFormerIds();
      assert.equal(await backlogs.story(7), undefined);
      assert.equal(asked, 1);
    });
  });

  describe('when something is submitted', () => {
    it('show it at once and read the project again after the answer', async () => {
      await opened(bread);
      const submitted = backlogs.submit(key, [rename]);
      assert.deepEqual(shown(), ['Rolls']);
      await settled();
      await accounts.outbox.settle('e1', { kind: 'sent' });
      await settled();
      assert.equal(refreshes().asked.at(-1)?.isWritten, true);
      assert.deepEqual(shown(), ['Rolls'], 'until the answer is there');
      await refreshes().answer(additions('m2', { ...bread, name: 'Rolls, as served' }));
      assert.equal((await submitted).sent, 1);
      assert.deepEqual(shown(), ['Rolls, as served']);
    });

    it('have what no server has taken, until it is discarded', async () => {
      await opened(bread);
      const submitted = backlogs.submit(key, [rename]);
      await settled();
      await accounts.outbox.settle('e1', { kind: 'waiting', problem: { kind: 'unreachable', message: 'Away.' } });
      await submitted;
      assert.deepEqual(
        backlogs.unsent.map(({ id }) => id),
        ['e1'],
      );
      accounts.outbox.discard = async () => {
        accounts.outbox.held = [];
        accounts.outbox.tell();
      };
      assert.equal(await backlogs.discard('e1'), true);
      assert.deepEqual([shown(), backlogs.unsent], [['Bread'], []]);
    });

    it('take nothing for a story that its server does not have yet', async () => {
      await opened(bread);
      const intent = { ...rename, storyId: -1 };
      await assert.rejects(backlogs.submit(key, [intent]), { kind: 'input', message: 'Not there yet.' });
      assert.deepEqual(accounts.outbox.held, []);
    });

    it('take nothing for an account that is signed out', async () => {
      const gone = { accountId: 'gone', projectId: 1 };
      await assert.rejects(backlogs.submit(gone, [rename]), { kind: 'unauthorized', message: 'Signed out.' });
    });

    it('send what an earlier start left as soon as there is a list', async () => {
      accounts.replica.lists.set('bakery', projects(1));
      await backlogs.projects();
      await settled();
      assert.equal(accounts.outbox.attended, 1);
    });
  });

  describe('when there must be a project', () => {
    it('tell that nobody is signed in', async () => {
      accounts.accounts = [];
      await assert.rejects(backlogs.requireProjects(), { kind: 'unauthorized' });
    });

    it('tell that there is none', async () => {
      const asking = backlogs.requireProjects();
      await settled();
      const failing = assert.rejects(asking, { kind: 'notFound', message: 'None yet.' });
      await lists(bakery).answer(projects());
      await failing;
    });

    it('tell why there are none to be read', async () => {
      const failing = assert.rejects(backlogs.requireProjects(), away);
      await settled();
      await lists(bakery).fail(away);
      await failing;
    });

    it('give them', async () => {
      accounts.replica.lists.set('bakery', known(1, aProject({ name: 'Harbour' })));
      assert.deepEqual(
        (await backlogs.requireProjects()).map(({ project }) => project.name),
        ['Harbour'],
      );
    });
  });

  describe('before a project is wanted', () => {
    it('know nothing, and ask nobody', async () => {
      accounts.replica.lists.set('bakery', projects(1));
      accounts.replica.backlogs = whole('m1', bread);
      await settled();
      assert.deepEqual(
        [backlogs.peek(key), backlogs.peekStory(11), backlogs.peekStories(11)],
        [undefined, undefined, []],
      );
      assert.deepEqual([backlogs.unsent, backlogs.failures, backlogs.keysOfAccount('bakery')], [[], [], []]);
      assert.deepEqual(
        [backlogs.readAt, backlogs.isSlow('bakery'), await backlogs.has(key)],
        [undefined, false, false],
      );
      assert.deepEqual([accounts.outbox.attended, lists(bakery).asked], [0, []]);
    });

    it('take nothing over that is found out without being asked for', async () => {
      accounts.replica.backlogs = whole('m1', bread);
      const told: unknown[] = [];
      backlogs.onDidChange((one) => told.push(one));
      backlogs.follow([{ account: bakery, listed: projects(1), unread: new Map() }]);
      await backlogs.followProject(key);
      assert.deepEqual([backlogs.keysOfAccount('bakery'), backlogs.peek(key), told], [[], undefined, []]);
    });

    it('have the replica forget who signs out, and tell of it', async () => {
      const told: unknown[] = [];
      backlogs.onDidChange((one) => told.push(one));
      await accounts.change(mill);
      assert.deepEqual([told, accounts.replica.kept], [[undefined], [replicaAccount(mill)]]);
      assert.deepEqual(lists(mill).asked, []);
    });

    it('begin once for all who want something at the same time', async () => {
      accounts.replica.lists.set('bakery', projects(1));
      accounts.replica.backlogs = whole('m1', bread);
      const submitted = backlogs.submit(key, [rename]);
      await Promise.all([backlogs.projects(), backlogs.backlog(key), backlogs.attend()]);
      assert.deepEqual([shown(), backlogs.unsent.map(({ id }) => id)], [['Rolls'], ['e1']]);
      await accounts.outbox.settle('e1', { kind: 'discarded' });
      await submitted;
      assert.deepEqual(shown(), ['Bread']);
    });

    it('can be disposed, and follow nothing that is asked of them later', async () => {
      const attending = backlogs.attend();
      backlogs.dispose();
      await attending;
      assert.equal(accounts.outbox.signal, undefined);
      await backlogs.attend();
      assert.equal(accounts.outbox.signal, undefined);
    });
  });

  it('name a server by its host, or as its account is called where that has no address', async () => {
    const builtIn = { id: 'builtIn', label: 'Built-in', kind: 'builtIn' as const };
    accounts.accounts = [bakery, builtIn];
    accounts.replica.lists.set('bakery', projects(1)).set('builtIn', projects(2));
    await backlogs.projects();
    const hosts = ['bakery', 'builtIn', 'gone'].map((accountId, index) =>
      backlogs.hostOf({ accountId, projectId: index + 1 }),
    );
    assert.deepEqual(hosts, ['bakery.example', 'Built-in', 'gone']);
  });

  it('ask and tell nothing after they were disposed', async () => {
    await opened(bread);
    const told: unknown[] = [];
    backlogs.onDidChange((one) => told.push(one));
    backlogs.dispose();
    await accounts.change();
    assert.deepEqual([told, accounts.outbox.signal?.aborted, accounts.replica.kept?.length], [[], true, 1]);
  });
});
