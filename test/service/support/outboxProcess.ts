import { setTimeout as sleep } from 'node:timers/promises';
import { createTracker } from '../../../src/client/tracker/httpTracker.ts';
import type { Intent } from '../../../src/core/intents/intent.ts';
import { ReplicaFile } from '../../../src/sync/file/replicaFile.ts';
import { OutboxSender } from '../../../src/sync/outbox/outboxSender.ts';
import { silentLog } from '../../support/silentLog.ts';

/** What a process that is to be killed is told. */
export interface OutboxJob {
  readonly path: string;
  readonly url: string;
  readonly token: string;
  readonly projectId: number;
  readonly storyIds: readonly number[];
  /** Begins every text that is added. */
  readonly name: string;
  /** How much is added; without end when absent. */
  readonly count?: number;
}

/** The engine's side of one window: it adds comments, stories and commits as fast as they are taken, and tells of each that is on disk. */
const job: OutboxJob = JSON.parse(process.argv[2] ?? '');
const account = { accountId: 'ada', address: job.url };
const tracker = createTracker({ baseUrl: job.url, token: async () => job.token, log: silentLog });
const outbox = new OutboxSender({
  ...{ file: new ReplicaFile({ path: job.path, log: silentLog }), tracker: () => tracker, log: silentLog },
  ...{ now: Date.now, random: Math.random },
  wait: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }).catch(() => undefined),
});
await outbox.attend([account]);
process.stdout.write('ready\n');
for (let index = 0; index < (job.count ?? Number.POSITIVE_INFINITY); index++) {
  const text = `${job.name}.${index}`;
  await outbox.add({ ...account, projectId: job.projectId }, [intentOf(text, index)]);
  process.stdout.write(`${text}\n`);
  if (index % 3 === 2) await sleep(10);
}
while ((await outbox.entries()).length > 0) await sleep(20);
outbox.close();
await tracker.close();

function intentOf(text: string, index: number): Intent {
  const storyId = job.storyIds[index % job.storyIds.length] ?? 0;
  if (index % 12 === 5) {
    const beside = { place: 'before', targetId: storyId } as const;
    return {
      kind: 'newStory',
      storyId: -1 - index,
      story: { name: text },
      beside,
      tasks: [{ description: text, complete: true }],
    };
  }
  if (index % 4 !== 3) return { kind: 'comment', storyId, text };
  const stories = job.storyIds.map((id) => ({ projectId: job.projectId, storyId: id }));
  const message = `[${job.storyIds.map((id) => `#${id}`).join(' ')}] ${text}`;
  return { kind: 'link', storyId, stories, commit: { commitId: `commit-${text}-`, message, author: 'Ada' } };
}
