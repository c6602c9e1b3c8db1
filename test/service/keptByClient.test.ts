import assert from 'node:assert/strict';
import { createTracker, type HttpTracker } from '../../src/client/tracker/httpTracker.ts';
import { silentLog } from '../support/silentLog.ts';
import { newBacklog, newProject } from './support/project.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

describe('our client with our service', () => {
  let service: TestService;
  let user: TestUser;
  let projectId: number;
  let storyId: number;
  const trackers: HttpTracker[] = [];

  before(async () => {
    service = await startTestService();
    user = await service.user('Ada Keeper');
    projectId = await newProject(user);
    const names = Array.from({ length: 30 }, (_, index) => `Buoy ${index}`);
    storyId = (await newBacklog(user, projectId, names))[0] ?? 0;
  });
  after(async () => {
    for (const tracker of trackers) await tracker.close();
    await service.stop();
  });

  function client(isCompressed: boolean) {
    const statuses: (string | undefined)[] = [];
    const debug = (line: string) => void statuses.push(/ (\d+) \d+ ms$/.exec(line)?.[1]);
    const log = { ...silentLog, debug };
    const tracker = createTracker({ baseUrl: service.url, token: async () => user.token, log, isCompressed });
    trackers.push(tracker);
    return { tracker, statuses };
  }

  for (const isCompressed of [true, false]) {
    it(`reads a backlog once as long as it stays the same, ${isCompressed ? 'compressed' : 'plain'}`, async () => {
      const { tracker, statuses } = client(isCompressed);
      const first = await tracker.currentBacklog(projectId);
      assert.equal(first.flatMap(({ stories }) => stories).length, 30);
      assert.equal(await tracker.currentBacklog(projectId), first);
      await tracker.updateStory({ projectId, storyId }, { name: `Renamed, ${isCompressed}` });
      const changed = await tracker.currentBacklog(projectId);
      assert.equal(changed[0]?.stories[0]?.name, `Renamed, ${isCompressed}`);
      assert.equal(await tracker.currentBacklog(projectId), changed);
      assert.deepEqual(statuses, ['200', '304', '200', '200', '304']);
    });
  }

  it('reads the same, compressed or not', async () => {
    const [packed, plain] = [client(true).tracker, client(false).tracker];
    assert.deepEqual(await packed.currentBacklog(projectId), await plain.currentBacklog(projectId));
  });
});
