import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTracker, type HttpTracker } from '../../src/client/tracker/httpTracker.ts';
import { TrackerError } from '../../src/core/errors.ts';
import type { Tracker } from '../../src/core/ports/tracker.ts';
import { ReplicaFile } from '../../src/sync/file/replicaFile.ts';
import { OutboxSender } from '../../src/sync/outbox/outboxSender.ts';
import { TrackerSync } from '../../src/sync/refresh/trackerSync.ts';
import { LocalReplica } from '../../src/sync/replica/replica.ts';
import { silentLog } from '../support/silentLog.ts';
import { newProject, newStory, storyNames } from './support/project.ts';
import { startTestService, type TestService, type TestUser, temporaryFolder } from './support/testService.ts';

const DAY = 86_400_000;

describe('A new story whose answer was lost', () => {
  let service: TestService;
  let ada: TestUser;
  let tracker: HttpTracker;
  let folder: string;

  before(async () => {
    service = await startTestService();
    folder = await temporaryFolder();
    ada = await service.user('Ada');
    tracker = createTracker({ baseUrl: service.url, token: async () => ada.token, log: silentLog });
  });
  after(async () => {
    await tracker?.close();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  for (const days of [-400, -2, 0, 2, 400]) {
    for (const isListed of [true, false]) {
      const where = isListed ? '' : ', the project never having been read';
      it(`is made once where the clock is ${days} days ahead of the service’s${where}`, async () => {
        const projectId = await newProject(ada);
        await newStory(ada, projectId, 'Trim the sails');
        const account = { accountId: 'ada', address: service.url };
        const path = join(folder, `${days}${isListed}.sqlite`);
        const now = () => Date.now() + days * DAY;
        const file = new ReplicaFile({ path, log: silentLog, now });
        const replica = new LocalReplica(file);
        const sync = new TrackerSync({ file, replica, tracker: () => tracker, log: silentLog, now });
        if (isListed) await sync.readProjects(account);
        const outbox = new OutboxSender({
          ...{ file, log: silentLog, now, random: () => 0, tracker: () => forgetful(tracker) },
          wait: (milliseconds, signal) =>
            sleep(Math.min(milliseconds, 10), undefined, { signal }).catch(() => undefined),
        });
        await outbox.attend([account]);
        const [entry] = await outbox.add({ ...account, projectId }, [
          { kind: 'newStory', storyId: -1, story: { name: 'Trim the sails', type: 'chore' } },
        ]);
        const look = async () => (await outbox.entries()).length;
        for (let times = 0; (await look()) > 0 && times < 500; times++) await sleep(10);
        assert.equal((await outbox.outcome(entry?.id ?? '')).kind, 'sent');
        assert.deepEqual(await storyNames(ada, projectId), ['Trim the sails', 'Trim the sails']);
        outbox.close();
        file.close();
      });
    }
  }
});

/** Takes the first new story to the service, and hears no answer. */
function forgetful(tracker: HttpTracker): Tracker {
  const made = tracker.createStory.bind(tracker);
  return new Proxy<Tracker>(tracker, {
    get(target, name) {
      if (name !== 'createStory') {
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      }
      return async (...args: Parameters<Tracker['createStory']>) => {
        const story = await made(...args);
        if (forgotten.has(story.projectId ?? 0)) return story;
        forgotten.add(story.projectId ?? 0);
        throw new TrackerError('timeout', 'No answer came.');
      };
    },
  });
}

const forgotten = new Set<number>();
