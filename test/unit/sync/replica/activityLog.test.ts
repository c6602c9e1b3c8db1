import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReplicaNews } from '../../../../src/core/replica/polling.ts';
import type { ToldActivity } from '../../../../src/core/replica/replica.ts';
import type { Activity } from '../../../../src/core/story/activity.ts';
import { rowsOf } from '../../../../src/sync/file/replicaRows.ts';
import { ReplicaWatcher } from '../../../../src/sync/polling/replicaWatcher.ts';
import { LocalActivityLog } from '../../../../src/sync/replica/activityLog.ts';
import { account, Client } from '../../../support/replica/client.ts';
import { SteppedClock } from '../../../support/replica/steppedClock.ts';
import { silentLog } from '../../../support/silentLog.ts';
import { ModelServer } from '../../../support/trackers/modelServer.ts';
import { modelTracker } from '../../../support/trackers/modelTracker.ts';

/** So many of a project are kept. */
const KEPT = 300;
const ALL = { accounts: [account], limit: 1000 };

describe('What happened in the projects', () => {
  let folder: string;
  let server: ModelServer;
  let clients: Client[];
  let one: LocalActivityLog;
  let other: LocalActivityLog;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-activities-'));
    server = new ModelServer({ projects: 2 });
    for (let index = 0; index < 3; index++) server.create(1, false);
    server.create(2, false);
    const options = { path: join(folder, 'replica.sqlite'), tracker: modelTracker(server), now: () => server.now };
    clients = [new Client(options), new Client(options)];
    [one, other] = clients.map(({ file }) => new LocalActivityLog(file)) as [LocalActivityLog, LocalActivityLog];
    await clients[0]?.refresh(1);
    await clients[0]?.refresh(2);
  });
  afterEach(async () => {
    for (const client of clients) client.close();
    await rm(folder, { recursive: true, force: true });
  });

  const happen = async (projectId: number, storyId: number, name: string, author = 'Bob') => {
    server.now += 2000;
    server.edit(projectId, storyId, { name });
    const { activities } = server.project(projectId);
    server.project(projectId).activities = activities.map((one, index) => (index === 0 ? { ...one, author } : one));
    await clients[0]?.refresh(projectId);
  };
  const texts = (told: readonly ToldActivity[]) => told.map(({ activity }) => activity.description);

  it('is told newest first over all projects, as many as are wanted, in every window', async () => {
    await happen(2, 4, 'Four');
    await happen(1, 2, 'Two');
    for (const log of [one, other]) {
      assert.deepEqual(texts(await log.told({ ...ALL, limit: 2 })), ['event 6', 'event 5']);
    }
    assert.deepEqual(texts(await one.told({ ...ALL, since: server.now - 1000 })), ['event 6']);
    assert.deepEqual(await one.told({ ...ALL, accounts: [{ ...account, address: 'https://other.example' }] }), []);
  });

  it('is told of one story alone, newest first', async () => {
    await happen(1, 2, 'Two');
    await happen(1, 3, 'Three');
    await happen(1, 2, 'Two again');
    const story = { projectId: 1, storyId: 2 };
    const told = await one.told({ ...ALL, story });
    assert.deepEqual(texts(told).slice(0, 2), ['event 7', 'event 5']);
    assert.ok(told.every(({ activity }) => activity.stories.some(({ id }) => id === 2)));
    assert.deepEqual(texts(await one.told({ ...ALL, story, limit: 1 })), ['event 7']);
    assert.deepEqual(await one.told({ ...ALL, story: { ...story, projectId: 2 } }), []);
  });

  it('is unread until someone has looked, in whichever window; what was there at first is not', async () => {
    await happen(1, 2, 'Two');
    const unread = async () => texts((await one.told(ALL)).filter(({ isUnread }) => isUnread));
    assert.deepEqual(await unread(), ['event 5']);
    assert.equal(await one.unread([account]), 1);
    await other.markRead([account]);
    assert.deepEqual(await unread(), []);
    assert.equal(await one.unread([account]), 0);
  });

  it('can be told and counted without some projects', async () => {
    await happen(1, 2, 'Two');
    await happen(2, 4, 'Four');
    await happen(1, 3, 'Three');
    const without = [{ accountId: account.accountId, projectId: 1 }];
    assert.deepEqual(texts(await one.told({ ...ALL, limit: 1, without })), ['event 6']);
    assert.deepEqual([await one.unread([account], without), await one.unread([account])], [1, 3]);
    const others = [
      { accountId: 'another', projectId: 1 },
      { ...account, projectId: 2 },
    ];
    assert.deepEqual(texts((await one.told({ ...ALL, without: others })).slice(0, 2)), ['event 7', 'event 5']);
    assert.equal(await one.unread([account], others), 2);
    assert.deepEqual(await one.told({ ...ALL, without: [...without, ...others] }), []);
  });

  it('is given as news to one window once', async () => {
    await happen(1, 2, 'Two');
    await happen(1, 3, 'Three');
    const given = await Promise.all([one, other, one].map((log) => log.claimFresh([account])));
    assert.deepEqual(given.flatMap(texts), ['event 6', 'event 5']);
    assert.deepEqual(await other.claimFresh([account]), []);
  });

  it('is never unread when one did it oneself', async () => {
    await happen(1, 2, 'Two', 'Ada');
    await happen(1, 3, 'Three', 'Bob');
    await one.setOwnName(account, 'Ada');
    const told = await other.told(ALL);
    assert.deepEqual(texts(told.filter(({ isOwn }) => isOwn)), ['event 5']);
    assert.deepEqual(texts(told.filter(({ isUnread }) => isUnread)), ['event 6']);
    assert.equal(await other.unread([account]), 1);
  });

  describe('when one signs out and in again', () => {
    const unread = async () => texts((await one.told(ALL)).filter(({ isUnread }) => isUnread));
    const signOutAndIn = async () => {
      await clients[0]?.replica.keepAccounts([]);
      assert.deepEqual(await one.told(ALL), []);
      await clients[0]?.refresh(1);
      await clients[0]?.refresh(2);
    };

    it('is unread as far as it was, and what came in the meantime is too', async () => {
      await one.setOwnName(account, 'Ada');
      await happen(1, 2, 'Read');
      await one.markRead([account]);
      await happen(1, 3, 'Unread');
      await happen(2, 4, 'Unread too');
      const before = await unread();
      assert.equal(before.length, 2);
      await signOutAndIn();
      assert.deepEqual(await unread(), before);
      await one.setOwnName(account, 'Ada');
      assert.deepEqual(await unread(), before);
      await one.markRead([account]);
      await signOutAndIn();
      await one.setOwnName(account, 'Ada');
      assert.deepEqual(await unread(), []);
    });

    it('is no news to another person with the same address', async () => {
      await one.setOwnName(account, 'Ada');
      await happen(1, 2, 'Two');
      await signOutAndIn();
      await one.setOwnName(account, 'Cleo');
      assert.deepEqual(await unread(), []);
      await signOutAndIn();
      await one.setOwnName(account, 'Ada');
      assert.deepEqual(await unread(), ['event 5']);
    });

    it('is all read where nothing was told before', async () => {
      await signOutAndIn();
      assert.deepEqual(await unread(), []);
    });
  });

  it('is kept as far as a person would scroll', async () => {
    for (let index = 0; index < KEPT + 20; index++) {
      server.edit(1, 2, { name: `Name ${index}` });
      if (index % 50 === 49) await clients[0]?.refresh(1);
    }
    await clients[0]?.refresh(1);
    const told = (await one.told(ALL)).filter(({ project }) => project.projectId === 1);
    assert.equal(told.length, KEPT);
    assert.equal(told[0]?.activity.version, server.project(1).activities[0]?.version);
  });

  it('goes on where a server counts its versions from the beginning again', async () => {
    const project = server.project(1);
    for (let index = 0; index < KEPT; index++) {
      server.edit(1, 2, { name: `Name ${index}` });
      if (index % 50 === 49) await clients[0]?.refresh(1);
    }
    const [last] = project.activities;
    assert.ok(last);
    project.activities = [2, 1].map((version) => ({
      ...last,
      version,
      id: 9000 + version,
      description: `anew ${version}`,
    }));
    await clients[0]?.refresh(1);
    const told = texts(await other.told(ALL));
    assert.equal(told.length, KEPT + 1);
    assert.ok(told.includes('anew 1') && told.includes('anew 2'), told.slice(0, 3).join());
  });

  it('shows as a change to every window, once', async () => {
    const clock = new SteppedClock();
    const state = { accounts: [account], isFocused: true, isActive: true, isVisible: true, seconds: 30 };
    const windows = clients.map(({ file }) => {
      const news: ReplicaNews[] = [];
      const watcher = new ReplicaWatcher({ file, log: silentLog, wait: clock.wait, onNews: (one) => news.push(one) });
      watcher.tell(state);
      return { news, watcher, running: watcher.run() };
    });
    const areChanged = async () => {
      await clock.advance(2000);
      return windows.map(({ news }) => news.splice(0).some(({ areActivitiesChanged }) => areActivitiesChanged));
    };
    await areChanged();
    await happen(1, 2, 'Two');
    assert.deepEqual(await areChanged(), [true, true]);
    assert.deepEqual(await areChanged(), [false, false]);
    await other.markRead([account]);
    assert.deepEqual(await areChanged(), [true, true]);
    await one.claimFresh([account]);
    assert.deepEqual(await areChanged(), [false, false]);
    for (const { watcher } of windows) watcher.stop();
    await Promise.all(windows.map(({ running }) => running));
  });
});

function kept(client: Client): readonly (readonly [string, unknown])[] {
  return client.file.run((database) =>
    rowsOf(database, 'SELECT value, isFresh FROM activity ORDER BY id').map(({ value, isFresh }) => [
      (JSON.parse(String(value)) as Activity).description,
      isFresh,
    ]),
  );
}

describe('The activities of a refresh', () => {
  it('are kept with what they tell of, as news only after the first read', async () => {
    const server = new ModelServer();
    const client = new Client({ tracker: modelTracker(server), log: silentLog });
    const { id } = server.create(1, false);
    await client.refresh();
    server.edit(1, id, { name: 'Told' });
    await client.refresh();
    await client.refresh();
    assert.deepEqual(kept(client), [
      ['event 1', 0],
      ['event 2', 1],
    ]);
  });

  it('give way to others that a server, put back to an earlier state, gives the same numbers', async () => {
    const server = new ModelServer();
    const client = new Client({ tracker: modelTracker(server), log: silentLog });
    const { id } = server.create(1, false);
    await client.refresh();
    server.edit(1, id, { name: 'Told' });
    await client.refresh();
    const { activities } = server.project(1);
    const [lost] = activities;
    assert.ok(lost);
    activities[0] = { ...lost, description: 'another event', occurredAt: { text: 'later', time: server.now + 60_000 } };
    await client.refresh();
    await client.refresh();
    assert.deepEqual(kept(client), [
      ['event 1', 0],
      ['another event', 1],
    ]);
  });
});
