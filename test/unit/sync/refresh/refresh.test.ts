import assert from 'node:assert/strict';
import { storiesOf } from '../../../../src/core/backlog/backlog.ts';
import type { BacklogLists, KnownProjects } from '../../../../src/core/replica/replica.ts';
import type { Story } from '../../../../src/core/story/story.ts';
import { TrackerSync } from '../../../../src/sync/refresh/trackerSync.ts';
import { aNote, aProject } from '../../../support/builders/builders.ts';
import { account, Client } from '../../../support/replica/client.ts';
import { silentLog } from '../../../support/silentLog.ts';
import { type ModelOptions, ModelServer } from '../../../support/trackers/modelServer.ts';
import { modelTracker } from '../../../support/trackers/modelTracker.ts';

const LISTS = ['currentBacklog', 'listStories'];
const DONE = 'listIterations done';

describe('A refresh', () => {
  let server: ModelServer;
  let client: Client;

  beforeEach(() => setUp());
  afterEach(() => client.close());

  async function setUp(options: ModelOptions = {}): Promise<void> {
    server = new ModelServer(options);
    client = new Client({ tracker: modelTracker(server), now: () => server.now });
    for (let index = 0; index < 20; index++) server.create(1, index >= 16);
    const { id } = server.create(1, false);
    server.edit(1, id, { state: 'accepted' });
    server.turn(1);
    await client.refresh();
    server.requests = [];
  }

  async function assertAsks(...expected: readonly string[]): Promise<void> {
    server.requests = [];
    server.now += 2000;
    const shown = await client.refresh();
    const asked = server.requests.toSorted();
    assert.deepEqual(shown, server.truth(1, 5));
    assert.deepEqual(asked, ['getProject', 'listActivities', ...expected].toSorted());
  }

  it('reads nothing more and changes nothing when nothing happened', async () => {
    const before = client.backlog();
    await assertAsks();
    assert.deepEqual(client.last?.stories, []);
    assert.equal(client.last?.lists, undefined);
    assert.equal(client.backlog()?.icebox, before?.icebox);
    assert.equal(client.backlog()?.iterations[0], before?.iterations[0]);
  });

  it('has one time for all of its requests, of which passed what a person has been waiting', async () => {
    const waits: number[] = [];
    const tracker = (_: string, waited: number) => {
      waits.push(waited);
      return modelTracker(server);
    };
    const sync = new TrackerSync({ ...client, tracker, log: silentLog, now: () => server.now });
    const project = { ...account, projectId: 1 };
    await sync.refresh(project, { waitingSince: server.now - 40_000 });
    await sync.refresh(project, {});
    // A clock that was put back.
    await sync.refresh(project, { waitingSince: server.now + 5 });
    assert.deepEqual(waits, [40_000, 0, 0]);
  });

  it('keeps the list of projects that was asked for last, though one asked for before is answered later', async () => {
    const lists = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const asked = Promise.withResolvers<void>();
    let calls = 0;
    const listProjects = async () => {
      asked.resolve();
      const name = ['Before', 'After', 'Now'][calls];
      await lists[calls++]?.promise;
      return [aProject({ id: 1, name: name ?? '' })];
    };
    const tracker = () => ({ ...modelTracker(server), listProjects });
    const sync = new TrackerSync({ ...client, tracker, log: silentLog, now: () => server.now });
    const names = (list: KnownProjects | undefined) => list?.projects.map(({ name }) => name);
    const early = sync.readProjects(account);
    await asked.promise;
    server.now += 1000;
    lists[1]?.resolve();
    assert.deepEqual(names(await sync.readProjects(account)), ['After']);
    server.now += 1000;
    lists[0]?.resolve();
    assert.deepEqual(names(await early), ['After']);
    assert.deepEqual(names(await client.replica.projects(account)), ['After']);
    // By a clock that was put back, the list that is there is one of the future.
    server.now -= 60_000;
    lists[2]?.resolve();
    assert.deepEqual(names(await sync.readProjects(account)), ['Now']);
    assert.deepEqual(names(await client.replica.projects(account)), ['Now']);
  });

  it('reads only the stories that were touched, each once', async () => {
    server.edit(1, 3, { name: 'Renamed' });
    server.edit(1, 3, { labels: ['flour'] });
    server.edit(1, 18, { notes: [aNote()] }, 'note_create');
    await assertAsks('getStory', 'getStory');
    assert.deepEqual(client.last?.stories.map(({ id }) => id).toSorted(), [18, 3]);
    assert.equal(client.last?.lists, undefined);
    await assertAsks();
  });

  it('reads the lists when an event may have changed the order, and sends on only what differs', async () => {
    server.move(1, 5, 2);
    await assertAsks(...LISTS);
    assert.deepEqual(client.last?.stories, []);
    assert.notEqual(client.last?.lists, undefined);
    const changes: Partial<Story>[] = [{ estimate: 5 }, { type: 'bug' }, { state: 'started' }];
    for (const fields of changes) {
      server.edit(1, 4, fields);
      await assertAsks(...LISTS);
      assert.deepEqual(
        client.last?.stories.map(({ id }) => id),
        [4],
      );
    }
    server.create(1, false);
    await assertAsks(...LISTS);
    server.edit(1, 4, { name: 'Renamed' }, 'story_of_a_kind_to_come');
    await assertAsks(...LISTS);
    server.remove(1, 4);
    await assertAsks(...LISTS);
  });

  it('reads done iterations when a story was accepted, one of theirs was touched, or the iteration turned', async () => {
    server.edit(1, 4, { state: 'accepted' });
    await assertAsks(...LISTS, DONE);
    server.turn(1);
    await assertAsks(...LISTS, DONE);
    server.edit(1, 4, { name: 'Renamed when done' });
    await assertAsks('getStory');
    server.edit(1, 4, { estimate: 1 });
    await assertAsks(...LISTS, DONE);
  });

  it('reads everything when more happened than one answer holds', async () => {
    for (let times = 0; times < 120; times++) server.edit(1, 3, { name: `Name ${times}` });
    await assertAsks(...LISTS, DONE, 'getProject', 'listActivities');
    await assertAsks();
  });

  it('reads everything when the server was set up anew, although its ids and versions are the same', async () => {
    const project = server.project(1);
    project.activities = project.activities.map((one) => ({ ...one, description: 'another event' }));
    project.icebox = [];
    await assertAsks(...LISTS, DONE, 'getProject', 'listActivities');
  });

  it('reads everything when versions went backwards', async () => {
    const project = server.project(1);
    project.activities = project.activities.slice(-3);
    project.icebox = [];
    await assertAsks(...LISTS, DONE, 'getProject', 'listActivities');
  });

  it('reads everything when the project moved on without an activity', async () => {
    const project = server.project(1);
    project.icebox = [];
    server.now += 5000;
    project.lastActivityAt = server.now;
    await assertAsks(...LISTS, DONE, 'getProject', 'listActivities');
    await assertAsks();
  });

  it('reads everything every time from a server without versions', async () => {
    await setUp({ isWithoutVersions: true });
    server.requests = [];
    server.move(1, 5, 2);
    assert.deepEqual(await client.refresh(), server.truth(1, 5));
    assert.ok(server.requests.includes('currentBacklog'));
  });

  it('does not believe a feed that is silent about a write of our own', async () => {
    server.move(1, 5, 2);
    const moved = server.project(1).activities.shift();
    assert.deepEqual(await client.refresh(1, { isWritten: true }), server.truth(1, 5));
    if (moved) server.project(1).activities.unshift(moved);
    assert.deepEqual(await client.refresh(), server.truth(1, 5));
  });

  it('finds what went to the done stories or came from them where the feed is silent about a write', async () => {
    const project = server.project(1);
    const exchange = () => {
      const [last, opened] = [project.done.at(-1), project.open[0]];
      const accepted = last?.stories[0];
      assert.ok(last && opened && accepted);
      project.done = project.done.with(-1, { ...last, stories: [{ ...opened, state: 'accepted' }] });
      project.open = project.open.with(0, { ...accepted, state: 'started' });
      return { ...opened, state: 'accepted' };
    };
    await client.put(1, exchange());
    assert.deepEqual(await client.refresh(1, { isWritten: true }), server.truth(1, 5));
    exchange();
    assert.deepEqual(await client.refresh(1, { isAskedFor: true }), server.truth(1, 5));
  });

  it('that a person asked for finds a new order that no activity tells of', async () => {
    const project = server.project(1);
    const { activities, lastActivityAt } = project;
    const told = [...activities];
    server.move(1, 5, 2);
    Object.assign(project, { activities: told, lastActivityAt });
    assert.notDeepEqual(await client.refresh(), server.truth(1, 5));
    assert.deepEqual(await client.refresh(1, { isAskedFor: true }), server.truth(1, 5));
  });

  it('reads a story again that was put in, since answers may overtake each other', async () => {
    const old = server.getStory({ projectId: 1, storyId: 3 });
    server.edit(1, 3, { name: 'Newest' });
    await assertAsks('getStory');
    await client.put(1, { ...old, name: 'Late' });
    await assertAsks('getStory');
    await assertAsks();
  });

  it('keeps what was put in while it was under way, and reads that again', async () => {
    const tracker = modelTracker(server);
    let meanwhile: () => Promise<void> = async () => undefined;
    const currentBacklog = async (projectId: number) => {
      const answer = await tracker.currentBacklog(projectId);
      await meanwhile();
      return answer;
    };
    const window = new Client({ tracker: { ...tracker, currentBacklog }, now: () => server.now });
    const nameOf = async () => storiesOf(await window.refresh()).find(({ id }) => id === 3)?.name;
    await window.refresh();
    server.edit(1, 3, { name: 'Of someone else' });
    server.move(1, 5, 2);
    meanwhile = async () => {
      const story = server.edit(1, 3, { name: 'Of our own' });
      if (story) await window.put(1, story);
      server.edit(1, 3, { name: 'Of someone else again' });
    };
    assert.equal(await nameOf(), 'Of our own');
    meanwhile = async () => undefined;
    assert.equal(await nameOf(), 'Of someone else again');
    window.close();
  });

  it('hands long lists over in portions', async () => {
    for (let index = 0; index < 600; index++) server.create(1, false);
    const portions: number[] = [];
    await client.refresh();
    const lists: BacklogLists[] = [];
    const onStories = (stories: readonly Story[]) => portions.push(stories.length);
    const onLists = (portion: BacklogLists) => lists.push(portion);
    const project = { accountId: 'ada', address: 'https://tracker.example', projectId: 1 };
    const parted = await client.replica.backlog(project, { onStories, onLists });
    const whole = await client.replica.backlog(project, {});
    assert.deepEqual(parted?.stories, []);
    assert.deepEqual(portions, [250, 250, 121]);
    assert.equal(parted?.lists, undefined);
    const { iterations = [], icebox, done } = whole?.lists ?? {};
    assert.deepEqual(
      lists.flatMap((part) => part.iterations),
      iterations,
    );
    assert.deepEqual(
      lists.flatMap((part) => part.icebox),
      icebox,
    );
    assert.deepEqual(
      lists.flatMap((part) => part.done),
      done,
    );
  });

  it('changes nothing when a request fails half-way', async () => {
    server.move(1, 5, 2);
    const before = client.backlog();
    const list = server.listStories.bind(server);
    server.listStories = () => {
      throw new Error('Cut off.');
    };
    await assert.rejects(client.refresh());
    assert.deepEqual(await client.paint(), before);
    server.listStories = list;
    await assertAsks(...LISTS);
  });

  it('adds older done iterations before those that are there, and keeps them', async () => {
    for (let times = 0; times < 12; times++) server.turn(1);
    await assertAsks(...LISTS, DONE);
    assert.deepEqual(await client.readMoreDone(5), server.truth(1, 10));
    server.turn(1);
    assert.deepEqual(await client.refresh(), server.truth(1, 10));
  });
});
