import assert from 'node:assert/strict';
import { LocalReplica } from '../../../../src/sync/replica/replica.ts';
import { account, Client } from '../../../support/replica/client.ts';
import { ModelServer } from '../../../support/trackers/modelServer.ts';
import { modelTracker } from '../../../support/trackers/modelTracker.ts';

const LISTS = ['currentBacklog', 'listStories'];

describe('A refresh from a server that tells a digest of the order', () => {
  let server: ModelServer;
  let client: Client;

  async function setUp(digests: 'right' | 'wrong'): Promise<void> {
    server = new ModelServer({ digests });
    client = new Client({ tracker: modelTracker(server), now: () => server.now });
    for (let index = 0; index < 20; index++) server.create(1, index >= 16);
    const { id } = server.create(1, false);
    server.edit(1, id, { state: 'accepted' });
    server.turn(1);
    await client.refresh();
    await client.refresh();
  }

  async function assertAsks(expected: readonly string[], options: object = {}): Promise<void> {
    server.requests = [];
    server.now += 2000;
    const shown = await client.refresh(1, options);
    const asked = server.requests.toSorted();
    assert.deepEqual(shown, server.truth(1, 5));
    assert.deepEqual(asked, ['getProject', 'listActivities', ...expected].toSorted());
  }

  beforeEach(() => setUp('right'));
  afterEach(() => client.close());

  it('reads of a move, a new estimate, a start, an acceptance and a new story that story alone', async () => {
    server.move(1, 5, 2);
    await assertAsks(['getStory']);
    server.edit(1, 6, { estimate: 5 });
    await assertAsks(['getStory']);
    server.edit(1, 9, { state: 'started' });
    await assertAsks(['getStory']);
    server.edit(1, 9, { state: 'accepted' });
    await assertAsks(['getStory']);
    server.create(1, false);
    await assertAsks(['getStory']);
    server.move(1, 18, 3);
    await assertAsks(['getStory']);
    server.remove(1, 4);
    await assertAsks(['getStory']);
    await assertAsks([]);
  });

  it('keeps in the file what it laid out', async () => {
    server.move(1, 5, 2);
    await assertAsks(['getStory']);
    const again = new LocalReplica(client.file);
    const kept = await again.backlog({ ...account, projectId: 1 }, {});
    const ids = (lists: readonly { readonly storyIds: readonly number[] }[] = []) =>
      lists.flatMap((one) => one.storyIds);
    const shown = client.backlog()?.iterations.flatMap(({ stories }) => stories.map(({ id }) => id));
    assert.deepEqual(ids(kept?.lists?.iterations), shown);
  });

  it('reads the lists when the order here is another one all the same', async () => {
    const project = server.project(1);
    project.open = project.open.toReversed();
    await assertAsks(['getProject', ...LISTS]);
    await assertAsks([]);
  });

  it('reads the lists and what is done when the iteration is over', async () => {
    server.turn(1);
    await assertAsks([...LISTS, 'listIterations done']);
    await assertAsks([]);
  });

  it('reads no lists for a person who asks, while the digest is the same', async () => {
    await assertAsks([], { isAskedFor: true });
    const project = server.project(1);
    project.open = project.open.toReversed();
    await assertAsks(['getProject', ...LISTS], { isAskedFor: true });
  });

  it('finds a move of its own that the feed does not tell of yet', async () => {
    const moved = server.move(1, 5, 2);
    const late = server.project(1).activities.shift();
    if (moved) await client.put(1, moved);
    await assertAsks(['getStory'], { isWritten: true });
    if (late) server.project(1).activities.unshift(late);
    await assertAsks(['getStory']);
  });

  it('asks for the project once more when it was read a moment before the story', async () => {
    const before = structuredClone(server.getProject(1));
    server.move(1, 5, 2);
    const getProject = server.getProject.bind(server);
    server.getProject = () => {
      server.getProject = getProject;
      server.requests.push('getProject');
      return before;
    };
    await assertAsks(['getProject', 'getStory']);
  });

  it('reads the lists as often as it has to when the digest is of something else, and not for nothing', async () => {
    client.close();
    await setUp('wrong');
    await assertAsks([]);
    server.move(1, 5, 2);
    await assertAsks(['getProject', 'getStory', ...LISTS]);
    await assertAsks([]);
  });

  it('does not ask the feed while the list of projects has told for a while that nothing happened', async () => {
    const ask = async (seconds: number) => {
      server.now += seconds * 1000;
      await client.sync.readProjects(account);
      server.requests = [];
      const shown = await client.refresh(1, { isListed: true });
      const asked = [...server.requests];
      assert.deepEqual(shown.iterations, server.truth(1, 5).iterations);
      return asked;
    };
    assert.deepEqual(await ask(5), ['listActivities']);
    assert.deepEqual(await ask(30), ['listActivities']);
    assert.deepEqual(await ask(30), []);
    assert.deepEqual(await ask(100), []);
    assert.deepEqual(await ask(100), ['listActivities']);
    server.edit(1, 3, { name: 'Renamed' });
    assert.deepEqual(await ask(1), ['listActivities', 'getStory']);
    server.edit(1, 3, { name: 'Renamed at the same second' });
    assert.deepEqual(await ask(0), ['listActivities', 'getStory']);
  });
});
