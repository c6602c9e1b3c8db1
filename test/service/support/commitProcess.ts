import { setTimeout as sleep } from 'node:timers/promises';
import { createTracker } from '../../../src/client/tracker/httpTracker.ts';
import type { Intent } from '../../../src/core/intents/intent.ts';
import { storyEffects } from '../../../src/core/marker/markerSyntax.ts';
import type { NewCommit } from '../../../src/core/ports/git.ts';
import { GitCommitFinder } from '../../../src/git/newCommits.ts';
import { StoredFoundCommits } from '../../../src/sync/commits/foundCommits.ts';
import { StoredLinkedCommits } from '../../../src/sync/commits/linkedCommits.ts';
import { isRunning } from '../../../src/sync/file/lease.ts';
import { ReplicaFile } from '../../../src/sync/file/replicaFile.ts';
import { OutboxSender } from '../../../src/sync/outbox/outboxSender.ts';
import { silentLog } from '../../support/silentLog.ts';

/** What a window that is to be killed is told. */
export interface CommitJob {
  readonly path: string;
  readonly url: string;
  readonly token: string;
  /** Of the Git repository. */
  readonly root: string;
  /** Which project a story is of, by its id. */
  readonly projects: Readonly<Record<number, number>>;
  /** How many times faster than all clocks the outbox's one goes: its leases and waits end so much sooner. */
  readonly speed: number;
  /** Ends when everything is found, sent and decided. */
  readonly isLast: boolean;
}

/** The engine's side of one window: it looks for commits and has them linked, telling where it is. */
const job: CommitJob = JSON.parse(process.argv[2] ?? '');
const account = { accountId: 'ada', address: job.url };
const timeouts = { headers: 700, total: 3000 };
const tracker = createTracker({ baseUrl: job.url, token: async () => job.token, log: silentLog, timeouts });
const file = new ReplicaFile({ path: job.path, log: silentLog, busyMs: 10_000 });
const found = new StoredFoundCommits({ file, now: Date.now, process: process.pid, isRunning });
const finder = new GitCommitFinder(found);
const linked = new StoredLinkedCommits(file);
const outbox = new OutboxSender({
  ...{ file, tracker: () => tracker, log: silentLog, random: Math.random, now: () => Date.now() * job.speed },
  wait: (milliseconds, signal) => sleep(milliseconds / job.speed, undefined, { signal }).catch(() => undefined),
});
const inHand = new Set<string>();
const tell = (stage: string) => process.stdout.write(`${stage}\n`);

await outbox.attend([account]);
tell('ready');
for (;;) {
  const { repository, commits } = await finder.find(job.root, { emails: [] });
  const fresh = commits.filter(({ hash }) => !inHand.has(hash));
  for (const { hash } of fresh) inHand.add(hash);
  if (fresh.length > 0) tell('found');
  for (const commit of fresh) void link(repository, commit);
  const isDone = inHand.size === 0 && (await outbox.entries()).length === 0;
  if (job.isLast && commits.length === 0 && isDone) break;
  await sleep(60);
}
outbox.close();
await tracker.close();

/** As a window does with a commit of a project that wants its commits posted. */
async function link(repository: string, commit: NewCommit): Promise<void> {
  const before = (await linked.linked()).filter(({ hash }) => hash === commit.hash).map(({ storyId }) => storyId);
  const ids = [...storyEffects(commit.message).keys()].filter((id) => !before.includes(id));
  const [first] = ids;
  if (first !== undefined) {
    const project = { ...account, projectId: job.projects[first] ?? 0 };
    const [entry] = await outbox.add(project, [intentOf(commit, first, ids)]);
    tell('added');
    await outbox.outcome(entry?.id ?? '');
    tell('told');
  }
  await finder.settle(repository, [commit.hash]);
  inHand.delete(commit.hash);
}

function intentOf({ hash, message, authorName }: NewCommit, storyId: number, ids: readonly number[]): Intent {
  const stories = ids.map((id) => ({ projectId: job.projects[id] ?? 0, storyId: id }));
  return { kind: 'link', storyId, stories, commit: { commitId: hash, message, author: authorName } };
}
