import assert from 'node:assert/strict';
import { storiesOf } from '../../../../src/core/backlog/backlog.ts';
import type { Story } from '../../../../src/core/story/story.ts';
import { BacklogMirror } from '../../../../src/host/projects/backlogMirror.ts';
import { aBacklog, aNote, anIteration, aProject, aStory } from '../../../support/builders/builders.ts';
import {
  additions,
  away,
  bakery,
  FakeAccounts,
  type HeldSync,
  key,
  mill,
  namesIn,
  replicaAccount,
  settled,
  whole,
  wholeOf,
} from './heldServers.ts';

const other = { accountId: 'mill', projectId: 1 };
const bread = aStory({ id: 11, name: 'Bread' });
const cake = aStory({ id: 12, name: 'Cake' });

describe('The mirror of backlogs', () => {
  let accounts: FakeAccounts;
  let mirror: BacklogMirror;
  let server: HeldSync;
  /** How often there was something to show before all of it was there. */
  let parts: number;
  const onPart = () => void parts++;
  const shown = () => namesIn(mirror.get(key));
  const shownSome = () => namesIn(mirror.getSome(key));

  beforeEach(() => {
    accounts = new FakeAccounts();
    accounts.accounts = [bakery, mill];
    mirror = new BacklogMirror({ accounts, replicaAccount });
    server = accounts.sync('bakery');
    parts = 0;
  });

  /** Has the server answer when the mirror reads from it. */
  async function read(changes: Parameters<HeldSync['refreshes']['answer']>[0]): Promise<void> {
    const reading = mirror.refresh(key, {}, onPart);
    await settled();
    await server.refreshes.answer(changes);
    await reading;
  }

  it('has nothing before something was read', async () => {
    assert.deepEqual([mirror.get(key), mirror.getSome(key)], [undefined, undefined]);
    await mirror.paint(key, onPart);
    assert.equal(mirror.get(key), undefined);
  });

  it('takes over what the replica has, and asks no server', async () => {
    accounts.replica.backlogs = whole('m1', bread, cake);
    await mirror.paint(key, onPart);
    assert.deepEqual([shown(), server.refreshes.asked], [['Bread', 'Cake'], []]);
  });

  it('drops what the replica has when a server has answered before it', async () => {
    accounts.replica.isHeld = true;
    const painting = mirror.paint(key, onPart);
    await settled();
    await read(whole('m2', cake));
    await accounts.replica.reads.answer(whole('m1', bread));
    await painting;
    assert.deepEqual(shown(), ['Cake']);
  });

  it('asks for what changed since, and puts it in place', async () => {
    await read(whole('m1', bread, cake));
    await read(additions('m2', { ...cake, name: 'Tart' }));
    await read(additions('m3'));
    assert.deepEqual(shown(), ['Bread', 'Tart']);
    assert.deepEqual(
      server.refreshes.asked.map(({ mark }) => mark),
      [undefined, 'm1', 'm2'],
    );
  });

  it('keeps as it is what did not change', async () => {
    await read(whole('m1', bread, cake));
    const before = mirror.get(key);
    await read(additions('m2'));
    assert.equal(mirror.get(key), before);
  });

  it('asks for the replica’s copy of the account at its address, none when it is gone', async () => {
    accounts.replica.isHeld = true;
    void mirror.paint(key, onPart);
    void mirror.paint({ accountId: 'gone', projectId: 5 }, onPart);
    await settled();
    assert.deepEqual(
      accounts.replica.reads.asked.map(({ project }) => project),
      [
        { accountId: 'bakery', address: 'https://bakery.example', projectId: 1 },
        { accountId: 'gone', address: '', projectId: 5 },
      ],
    );
  });

  it('drops additions to a backlog that was forgotten in the meantime', async () => {
    await read(whole('m1', bread));
    const reading = mirror.refresh(key, {}, onPart);
    await settled();
    mirror.keepOnly([]);
    await server.refreshes.answer(additions('m2', { ...bread, name: 'Late' }));
    await reading;
    assert.equal(mirror.getSome(key), undefined);
  });

  it('forgets the backlogs of all but these projects', async () => {
    await read(whole('m1', bread));
    mirror.keepOnly([key]);
    assert.deepEqual(shown(), ['Bread']);
    mirror.keepOnly([other]);
    assert.equal(mirror.get(key), undefined);
  });

  it('takes stories and lists in portions', async () => {
    const reading = mirror.refresh(key, {}, onPart);
    await settled();
    const [asked] = server.refreshes.asked;
    const { lists: _lists, ...rest } = whole('m1');
    asked?.onStories?.([bread]);
    asked?.onStories?.([cake]);
    asked?.onLists?.({ iterations: [{ ...anIteration(), storyIds: [11] }], icebox: [], done: [] });
    asked?.onLists?.({ iterations: [{ ...anIteration({ number: 4 }), storyIds: [] }], icebox: [12], done: [] });
    await server.refreshes.answer({ ...rest, stories: [] });
    await reading;
    assert.deepEqual(
      [shown(), mirror.get(key)?.iterations.map(({ number }) => number)],
      [
        ['Bread', 'Cake'],
        [3, 4],
      ],
    );
  });

  it('has the current iteration while the rest still comes, then all of it', async () => {
    const reading = mirror.refresh(key, {}, onPart);
    await settled();
    server.refreshes.asked[0]?.onFirst?.({ project: aProject(), iteration: anIteration({ stories: [bread] }) });
    assert.deepEqual([parts, shown(), shownSome()], [1, undefined, ['Bread']]);
    assert.deepEqual(mirror.getSome(key)?.missing, {});
    await server.refreshes.answer(whole('m1', bread, cake));
    await reading;
    assert.deepEqual([shown(), mirror.getSome(key)?.missing], [['Bread', 'Cake'], undefined]);
  });

  it('says why there is no more than the current iteration, until it is read again', async () => {
    const reading = mirror.refresh(key, {}, onPart);
    await settled();
    server.refreshes.asked[0]?.onFirst?.({ project: aProject(), iteration: anIteration({ stories: [bread] }) });
    const failing = assert.rejects(reading, away);
    await server.refreshes.fail(away);
    await failing;
    assert.deepEqual([shownSome(), mirror.getSome(key)?.missing], [['Bread'], { error: away }]);
    void mirror.refresh(key, {}, onPart);
    await settled();
    assert.deepEqual(mirror.getSome(key)?.missing, {});
    await server.refreshes.answer(whole('m1', bread));
    assert.equal(mirror.get(key)?.missing, undefined);
  });

  it('asks for no first iteration where there is a backlog already, which stays when reading fails', async () => {
    await read(whole('m1', bread));
    const failing = assert.rejects(mirror.refresh(key, {}, onPart), away);
    await settled();
    assert.equal(server.refreshes.asked[1]?.onFirst, undefined);
    await server.refreshes.fail(away);
    await failing;
    assert.deepEqual([shown(), parts], [['Bread'], 0]);
  });

  it('has a story that a server has just answered, and so has the replica', async () => {
    await read(whole('m1', bread, cake));
    await mirror.putStory(key, { ...cake, name: 'Tart' });
    assert.deepEqual(shown(), ['Bread', 'Tart']);
    assert.deepEqual(
      accounts.replica.stories.map(({ name }) => name),
      ['Tart'],
    );
  });

  it('keeps a story that is put while an older answer is taken over', async () => {
    const reading = mirror.refresh(key, {}, onPart);
    await settled();
    void server.refreshes.answer(whole('m1', bread, cake));
    // In every turn until the answer is there: one of them is in the midst of it.
    while (!mirror.get(key)) {
      void mirror.putStory(key, { ...cake, name: 'Tart' });
      await Promise.resolve();
    }
    await reading;
    assert.deepEqual(shown(), ['Bread', 'Tart']);
  });

  it('follows the replica, and tells whether anything is another', async () => {
    await read(whole('m1', bread));
    accounts.replica.backlogs = additions('m2', { ...bread, name: 'Rolls' });
    assert.equal(await mirror.follow(key), true);
    assert.deepEqual(shown(), ['Rolls']);
    accounts.replica.backlogs = additions('m3');
    assert.equal(await mirror.follow(key), false);
    accounts.replica.backlogs = undefined;
    assert.equal(await mirror.follow(key), false);
    assert.deepEqual(shown(), ['Rolls']);
  });

  it('has more done iterations when they are read', async () => {
    await read(whole('m1', bread));
    const reading = mirror.readMoreDone(key, 5);
    await settled();
    assert.deepEqual([server.pages.asked[0]?.count, server.pages.asked[0]?.mark], [5, 'm1']);
    const done = [anIteration({ number: 2, stories: [cake] })];
    await server.pages.answer(wholeOf('m2', aBacklog({ iterations: [anIteration({ stories: [bread] })], done })));
    await reading;
    assert.deepEqual(shown(), ['Cake', 'Bread']);
  });

  it('has the replica forget who is no longer signed in', async () => {
    accounts.accounts = [mill];
    await mirror.forgetSignedOut();
    assert.deepEqual(accounts.replica.kept, [{ accountId: 'mill', address: 'https://mill.example' }]);
  });

  describe('of stories that come in portions, each with copies of its own of everything', () => {
    async function taken(...stories: readonly Story[]): Promise<readonly Story[]> {
      const { lists, ...changes } = whole('m1', ...stories);
      accounts.replica.backlog = async (_, { onLists, onStories }) => {
        if (lists) await onLists?.(lists);
        for (const story of stories) await onStories?.([structuredClone(story)]);
        return { ...changes, stories: [] };
      };
      await mirror.paint(key, onPart);
      const backlog = mirror.get(key);
      return backlog ? storiesOf(backlog) : [];
    }

    it('has them as they were', async () => {
      const stories = [
        aStory({ id: 1, labels: ['flour'], notes: [aNote()], ownedBy: 'Ada Fenn' }),
        aStory({ id: 2, state: 'accepted', type: 'a kind to come' }),
      ];
      assert.deepEqual(await taken(...stories), stories);
    });

    it('has them share lists with nothing in them, and one moment for two that are equal', async () => {
      const [one, other] = await taken(aStory({ id: 1 }), aStory({ id: 2 }));
      assert.ok(one && other);
      assert.equal(one.labels, other.labels);
      assert.equal(one.tasks, one.notes);
      assert.equal(one.updatedAt, one.createdAt);
      assert.notEqual(one.createdAt, other.createdAt);
    });
  });
});
