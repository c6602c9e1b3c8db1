import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TrackerError } from '../../../../src/core/errors.ts';
import type { Tracker } from '../../../../src/core/ports/tracker.ts';
import { accountKey } from '../../../../src/sync/file/replicaRows.ts';
import { aDate } from '../../../support/builders/builders.ts';
import { ada, PollingWindow } from '../../../support/replica/pollingWindow.ts';
import { SteppedClock } from '../../../support/replica/steppedClock.ts';
import { ModelServer } from '../../../support/trackers/modelServer.ts';
import { modelTracker } from '../../../support/trackers/modelTracker.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

describe('Polling', () => {
  let folder: string;
  let clock: SteppedClock;
  let server: ModelServer;
  let windows: PollingWindow[];
  /** Who asked for projects and when, in seconds since the start. */
  let polls: string[];
  /** What the server says instead of an answer. */
  let refusal: TrackerError | undefined;
  let start: number;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-poll-'));
    start = new Date(2026, 2, 2, 9).getTime();
    clock = new SteppedClock(start);
    server = new ModelServer({ projects: 2 });
    for (let index = 0; index < 4; index++) server.create(1, false);
    server.create(2, false);
    windows = [];
    polls = [];
    refusal = undefined;
  });
  afterEach(async () => {
    for (const window of windows) await window.stop();
    await rm(folder, { recursive: true, force: true });
  });

  function trackerOf(name: string): Tracker {
    const model = modelTracker(server, async () => {
      if (refusal) throw refusal;
    });
    const listProjects = async () => {
      polls.push(`${name} ${(clock.now() - start) / SECOND}`);
      return model.listProjects();
    };
    return { ...model, listProjects };
  }

  /** A window whose stories were read for being shown. */
  async function window(name: string): Promise<PollingWindow> {
    const made = new PollingWindow({ name, path: join(folder, 'replica.sqlite'), clock, tracker: trackerOf(name) });
    windows.push(made);
    await made.sync.readProjects(ada);
    await made.client.refresh(1);
    polls = [];
    return made;
  }

  /** What the windows asked while this time passed. */
  async function pass(milliseconds: number): Promise<readonly string[]> {
    polls = [];
    server.requests = [];
    await clock.advance(milliseconds);
    return polls;
  }

  it('asks for what is new as long as someone works in the window, and only for what is shown', async () => {
    const one = await window('one');
    one.start({ isFocused: true, isActive: true });
    assert.deepEqual(await pass(100 * SECOND), ['one 30', 'one 60', 'one 90']);
    const listed = ['listProjects', 'listProjects', 'listProjects'];
    assert.deepEqual(server.requests.toSorted(), ['listActivities', ...listed], 'the feed is asked once to be sure');
    server.now += 100 * SECOND;
    server.edit(1, 3, { name: 'Renamed' });
    await pass(30 * SECOND);
    const shown = await one.client.paint(1);
    assert.deepEqual(shown?.iterations, server.truth(1, 5).iterations);
  });

  it('slows down with the attention it gets, and stops where the setting says so', async () => {
    const one = await window('one');
    one.start({ isFocused: true, isActive: false });
    assert.deepEqual(await pass(250 * SECOND), ['one 120', 'one 240']);
    one.focus(false);
    assert.deepEqual(await pass(350 * SECOND), ['one 540']);
    one.focus();
    one.tell({ seconds: 0 });
    await pass(0);
    assert.deepEqual(await pass(60 * MINUTE), []);
  });

  it('asks at once for who comes back to what is old, and not for who was away for a moment', async () => {
    const one = await window('one');
    one.start();
    assert.deepEqual(await pass(20 * SECOND), []);
    one.focus();
    assert.deepEqual(await pass(9 * SECOND), []);
    one.focus(false);
    assert.deepEqual(await pass(100 * SECOND), []);
    one.focus();
    assert.deepEqual(await pass(SECOND), ['one 129']);
  });

  it('is done by one window for all; the one that is focused last does it', async () => {
    const [one, other, third] = [await window('one'), await window('other'), await window('third')];
    one.start({ isFocused: true, isActive: true });
    other.start();
    third.start();
    assert.deepEqual(await pass(65 * SECOND), ['one 30', 'one 60']);
    one.focus(false);
    other.focus();
    assert.deepEqual(await pass(40 * SECOND), ['other 90']);
    other.focus(false);
    assert.equal((await pass(300 * SECOND)).length, 1);
  });

  it('stops in the middle where another window takes over', async () => {
    const model = trackerOf('one');
    const asked: string[] = [];
    const slow: Tracker = {
      ...model,
      listProjects: async () => {
        const projects = await model.listProjects();
        await clock.wait(20 * SECOND);
        return projects;
      },
      listActivities: async (query) => {
        asked.push(`project ${query.projectId}`);
        return model.listActivities(query);
      },
    };
    const other = await window('other');
    const one = new PollingWindow({ name: 'one', path: join(folder, 'replica.sqlite'), clock, tracker: slow });
    windows.push(one);
    one.start({ isFocused: true, isActive: true });
    other.start();
    assert.deepEqual(await pass(31 * SECOND), ['one 30']);
    one.focus(false);
    other.focus();
    assert.deepEqual(await pass(9 * SECOND), ['other 31']);
    await pass(15 * SECOND);
    assert.deepEqual(asked, []);
  });

  it('goes on in another window when the one that did it was killed, or closed', async () => {
    const [one, other] = [await window('one'), await window('other')];
    one.start({ isFocused: true, isActive: true });
    other.start({ isFocused: true, isActive: true });
    one.focus(false);
    one.focus();
    await pass(SECOND);
    assert.deepEqual((await pass(59 * SECOND)).length, 2);
    const doer = polls[0]?.startsWith('one') ? one : other;
    doer.kill();
    const after = await pass(2 * MINUTE);
    assert.ok(after.length >= 2, after.join());
    assert.ok(after.every((poll) => poll.startsWith(doer === one ? 'other' : 'one')));
    const heir = doer === one ? other : one;
    await heir.stop();
    windows = windows.filter((window) => window !== heir);
    const third = await window('third');
    third.start({ isFocused: true, isActive: true });
    assert.equal((await pass(40 * SECOND)).length, 1);
  });

  it('waits longer and longer while the server is away, says so to all, and goes on when it is back', async () => {
    const [one, other] = [await window('one'), await window('other')];
    one.start({ isFocused: true, isActive: true });
    other.start();
    await pass(35 * SECOND);
    refusal = new TrackerError('unreachable', 'No network.');
    const away = await pass(20 * MINUTE);
    assert.ok(away.length > 5 && away.length < 15, away.join());
    for (const { news } of windows) assert.equal(news.at(-1)?.accounts[0]?.troubles[0]?.message, 'No network.');
    refusal = undefined;
    server.edit(1, 3, { name: 'Meanwhile' });
    await pass(5 * MINUTE);
    for (const { news, client } of windows) {
      assert.deepEqual(news.at(-1)?.accounts[0]?.troubles, []);
      assert.deepEqual((await client.paint(1))?.iterations, server.truth(1, 5).iterations);
    }
    assert.ok((await pass(MINUTE)).length >= 2);
  });

  it('leaves a server alone as long as it wants, in all windows', async () => {
    const [one, other] = [await window('one'), await window('other')];
    one.start({ isFocused: true, isActive: true });
    other.start();
    refusal = new TrackerError('busy', 'Too much.', { retryAfter: 10 * MINUTE });
    assert.deepEqual(await pass(31 * SECOND), ['one 30']);
    refusal = undefined;
    one.focus(false);
    other.focus();
    assert.deepEqual(await pass(9 * MINUTE), []);
    assert.equal((await pass(MINUTE)).length, 1);
  });

  it('asks at once when the machine was asleep', async () => {
    const one = await window('one');
    one.start();
    await pass(20 * SECOND);
    clock.sleep(3 * 60 * MINUTE);
    assert.equal((await pass(10 * SECOND)).length, 1);
  });

  it('asks no more often while a server is away and the clock was set back', async () => {
    const one = await window('one');
    one.start({ isFocused: true, isActive: true });
    await pass(35 * SECOND);
    clock.setBack(DAY);
    refusal = new TrackerError('unreachable', 'No network.');
    const away = await pass(20 * MINUTE);
    assert.ok(away.length > 5 && away.length < 15, away.join());
  });

  it('is done by the window that is focused, and goes on after one that was killed, when the clock was set back', async () => {
    const [one, other] = [await window('one'), await window('other')];
    one.start({ isFocused: true, isActive: true });
    other.start();
    await pass(35 * SECOND);
    clock.setBack(DAY);
    one.focus(false);
    other.focus();
    await pass(SECOND);
    const polls = await pass(65 * SECOND);
    assert.ok(polls.length >= 2 && polls.every((poll) => poll.startsWith('other')), polls.join());
    clock.setBack(DAY);
    other.kill();
    const after = await pass(10 * MINUTE);
    assert.ok(after.length >= 2 && after.every((poll) => poll.startsWith('one')), after.join());
  });

  it('asks for a project that failed by itself when the clock was set back', async () => {
    const one = await window('one');
    one.start({ isFocused: true, isActive: true });
    await one.sync.failed({ ...ada, projectId: 1 }, new TrackerError('tooLarge', 'Too much.'));
    clock.setBack(DAY);
    server.now += MINUTE;
    server.edit(1, 3, { name: 'Renamed' });
    await pass(MINUTE);
    assert.deepEqual((await one.client.paint(1))?.iterations, server.truth(1, 5).iterations);
  });

  it('leaves alone who signed out in the middle', async () => {
    const model = trackerOf('one');
    const slow: Tracker = {
      ...model,
      listActivities: async (query) => {
        await clock.wait(5 * SECOND);
        return model.listActivities(query);
      },
    };
    await (await window('other')).client.refresh(2);
    const one = new PollingWindow({ name: 'one', path: join(folder, 'replica.sqlite'), clock, tracker: slow });
    windows.push(one);
    one.start({ isFocused: true, isActive: true });
    assert.deepEqual(await pass(31 * SECOND), ['one 30']);
    await one.client.replica.keepAccounts([]);
    one.tell({ accounts: [] });
    await pass(MINUTE);
    assert.equal(
      one.client.file.run((database) => accountKey(database, ada)),
      undefined,
    );
  });

  it('does not keep other projects waiting for one that is answered slowly', async () => {
    const model = trackerOf('one');
    const asked: string[] = [];
    const slow: Tracker = {
      ...model,
      listActivities: async (query) => {
        asked.push(`${(clock.now() - begun) / SECOND} ${query.projectId}`);
        if (asked.length === 1) await clock.wait(44 * SECOND);
        return model.listActivities(query);
      },
    };
    const begun = clock.now();
    await (await window('other')).client.refresh(2);
    const one = new PollingWindow({ name: 'one', path: join(folder, 'replica.sqlite'), clock, tracker: slow });
    windows.push(one);
    one.start({ isFocused: true, isActive: true });
    await pass(MINUTE + 15 * SECOND);
    assert.deepEqual(asked.slice(0, 2), ['30 1', '35 2']);
  });

  it('asks soon after the day has ended', async () => {
    const one = await window('one');
    clock.sleep(15 * 60 * MINUTE - 100 * SECOND);
    await one.sync.readProjects(ada);
    one.start();
    const [poll = ''] = await pass(200 * SECOND);
    assert.equal(Number(poll.split(' ')[1]), 15 * 60 * 60 + 1 + 15);
  });

  it('asks soon after the current iteration has ended', async () => {
    const finish = aDate(new Date(start + 100 * SECOND).toISOString());
    const tracker = trackerOf('one');
    const currentBacklog = async (projectId: number) =>
      (await tracker.currentBacklog(projectId)).map((one) => ({ ...one, finish }));
    const path = join(folder, 'replica.sqlite');
    const one = new PollingWindow({ name: 'one', path, clock, tracker: { ...tracker, currentBacklog } });
    windows.push(one);
    await one.sync.readProjects(ada);
    await one.client.refresh(1);
    one.start();
    assert.deepEqual(await pass(200 * SECOND), [`one ${100 + 1 + 15}`]);
  });

  it('asks the other servers although one cannot be opened', async () => {
    const bob = { accountId: 'bob', address: 'https://other.example' };
    const tracker = trackerOf('one');
    const open = async (accountId: string) => {
      if (accountId === 'bob') throw new TrackerError('unauthorized', 'You are not signed in.');
    };
    const one = new PollingWindow({ name: 'one', path: join(folder, 'replica.sqlite'), clock, tracker, open });
    windows.push(one);
    await one.sync.readProjects(ada);
    await one.sync.readProjects(bob);
    one.start({ accounts: [bob, ada], isFocused: true, isActive: true });
    assert.deepEqual(await pass(31 * SECOND), ['one 30']);
    assert.equal(one.news.at(-1)?.accounts.find(({ account }) => account === bob)?.troubles[0]?.kind, 'unauthorized');
  });

  it('asks the other servers as often as ever while one is silent', async () => {
    const bob = { accountId: 'bob', address: 'https://other.example' };
    const path = join(folder, 'replica.sqlite');
    let isSilent = true;
    const one = new PollingWindow({
      ...{ name: 'one', path, clock, tracker: trackerOf('one') },
      open: (accountId) => (accountId === 'bob' && isSilent ? clock.wait(5 * MINUTE) : Promise.resolve()),
    });
    windows.push(one);
    await one.sync.readProjects(ada);
    one.start({ accounts: [bob, ada], isFocused: true, isActive: true });
    assert.deepEqual(await pass(100 * SECOND), ['one 30', 'one 60', 'one 90']);
    isSilent = false;
    await pass(5 * MINUTE);
    const later = await pass(MINUTE);
    assert.ok(later.length >= 2 && later.length <= 4, later.join());
  });

  it('goes on with the other projects when one cannot be read', async () => {
    const one = await window('one');
    await one.client.refresh(2);
    const broken = { ...trackerOf('one') };
    const sync = Object.assign(broken, {
      listActivities: async (query: { projectId?: number }) => {
        if (query.projectId === 1) throw new TrackerError('tooLarge', 'Too much.');
        return modelTracker(server).listActivities(query);
      },
    });
    const two = new PollingWindow({ name: 'two', path: join(folder, 'replica.sqlite'), clock, tracker: sync });
    windows.push(two);
    two.start({ isFocused: true, isActive: true });
    server.edit(2, 5, { name: 'Renamed' });
    await pass(31 * SECOND);
    assert.equal((await two.client.paint(2))?.iterations[0]?.stories[0]?.name, 'Renamed');
    assert.deepEqual(
      two.news.at(-1)?.accounts[0]?.troubles.map(({ projectId, message }) => [projectId, message]),
      [[1, 'Too much.']],
    );
  });

  it('follows the other projects although one is always too slow to answer', async () => {
    const one = await window('one');
    await one.client.refresh(2);
    const slow: Tracker = {
      ...trackerOf('two'),
      listActivities: async (query) => {
        if (query.projectId === 1) throw new TrackerError('timeout', 'Too slow.');
        return modelTracker(server).listActivities(query);
      },
    };
    const two = new PollingWindow({ name: 'two', path: join(folder, 'replica.sqlite'), clock, tracker: slow });
    windows.push(two);
    two.start({ isFocused: true, isActive: true });
    server.edit(2, 5, { name: 'Renamed' });
    await pass(5 * MINUTE);
    assert.equal((await two.client.paint(2))?.iterations[0]?.stories[0]?.name, 'Renamed');
  });
});
