import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { checkConnection } from './client/checkConnection.ts';
import { HttpDownloads } from './client/downloads.ts';
import { createTracker, type HttpTracker } from './client/httpTracker.ts';
import { requestFor } from './client/intentRequest.ts';
import { LocalOutgoingFiles } from './client/outgoingFiles.ts';
import { sweepMadeFiles } from './client/sweepMadeFiles.ts';
import { messageOf, TrackerError } from './core/errors.ts';
import type { Log } from './core/log.ts';
import type { CheckProgress, CheckStep, Connection, Network } from './core/ports/connection.ts';
import type { Downloads } from './core/ports/outgoingFiles.ts';
import { createCommitHooks } from './git/commitHooks.ts';
import { useGit } from './git/gitProgram.ts';
import { createHistory } from './git/history.ts';
import { GitCommitFinder } from './git/newCommits.ts';
import { GitPatches } from './git/patches.ts';
import { Peer } from './remote/peer.ts';
import { StoredActiveStories } from './sync/activeStories.ts';
import { LocalActivityLog } from './sync/activityLog.ts';
import { StoredFoundCommits } from './sync/foundCommits.ts';
import { isRunning } from './sync/isRunning.ts';
import { StoredLinkedCommits } from './sync/linkedCommits.ts';
import { LocalPolling } from './sync/localPolling.ts';
import { NotedSync } from './sync/notedSync.ts';
import { OutboxSender } from './sync/outboxSender.ts';
import { LocalReplica } from './sync/replica.ts';
import { ReplicaFile } from './sync/replicaFile.ts';
import { TrackerSync } from './sync/trackerSync.ts';

if (!parentPort) throw new Error('This file runs as a worker thread of the extension.');
const peer = new Peer(parentPort);

const tell = (level: keyof Log) => (message: string | Error) => {
  void peer.call('log', level, [message instanceof Error ? message.message : message]).catch(() => undefined);
};
const log: Log = { debug: tell('debug'), info: tell('info'), warn: tell('warn'), error: tell('error') };

const trackers = new Map<string, HttpTracker>();

const tokenOf = (accountId: string, baseUrl: string) => async () =>
  String(await peer.call('tokens', 'token', [accountId, baseUrl]));

peer.expose('trackers', {
  async open({ accountId, baseUrl, tokenHeader, network }: Connection): Promise<void> {
    const before = trackers.get(accountId);
    const token = tokenOf(accountId, baseUrl);
    const tracker = createTracker({ baseUrl, token, tokenHeader, network, log });
    trackers.set(accountId, tracker);
    peer.expose(`tracker:${accountId}`, tracker);
    // What is under way, an upload perhaps, ends the way it began.
    before?.retire().catch((thrown: unknown) => log.error(String(thrown)));
  },
  async close(accountId: string): Promise<void> {
    peer.withdraw(`tracker:${accountId}`);
    await trackers.get(accountId)?.close();
    trackers.delete(accountId);
  },
});
peer.expose('connections', {
  check(connection: Connection, isSignedIn: boolean, progress: CheckProgress): Promise<readonly CheckStep[]> {
    const { accountId, baseUrl, tokenHeader, network } = connection;
    const token = isSignedIn ? { token: tokenOf(accountId, baseUrl) } : {};
    return checkConnection({ baseUrl, tokenHeader, network, log, ...token }, progress);
  },
});
peer.expose('intentRequests', { requestFor: async (...args: Parameters<typeof requestFor>) => requestFor(...args) });
peer.expose('git', { use: async (program: string) => useGit(program) });
peer.expose('history', createHistory());
peer.expose('commitHooks', createCommitHooks());
peer.expose('patches', new GitPatches());
peer.expose('outgoingFiles', new LocalOutgoingFiles());
sweepMadeFiles(tmpdir()).catch((thrown: unknown) => log.warn(`temporary files stay: ${messageOf(thrown)}`));
peer.expose('downloads', {
  beginning: (network: Network, ...args: Parameters<Downloads['beginning']>) =>
    new HttpDownloads(network).beginning(...args),
  save: (network: Network, ...args: Parameters<Downloads['save']>) => new HttpDownloads(network).save(...args),
});

const path: unknown = workerData?.replicaPath;
const file = new ReplicaFile({ log, ...(typeof path === 'string' && { path }) });
const replica = new LocalReplica(file);
const tracker = (accountId: string) => {
  const opened = trackers.get(accountId);
  if (!opened) throw new TrackerError('unauthorized', 'Nobody is signed in to this server.');
  return opened;
};
peer.expose('replica', replica);
peer.expose('activityLog', new LocalActivityLog(file));
const sync = new NotedSync({
  file,
  now: Date.now,
  sync: new TrackerSync({ file, replica, tracker, log, now: Date.now }),
});
peer.expose('sync', sync);
peer.expose('linkedCommits', new StoredLinkedCommits(file));
peer.expose(
  'commitFinder',
  new GitCommitFinder(new StoredFoundCommits({ file, now: Date.now, process: process.pid, isRunning })),
);
peer.expose('activeStories', new StoredActiveStories(file));
const wait = (milliseconds: number, signal: AbortSignal) =>
  sleep(milliseconds, undefined, { signal }).catch(() => undefined);
const openedTracker = async (accountId: string) => {
  await peer.call('accounts', 'open', [accountId]);
  return tracker(accountId);
};
peer.expose(
  'outbox',
  new OutboxSender({ file, tracker: openedTracker, log, now: Date.now, wait, random: Math.random }),
);
peer.expose(
  'polling',
  new LocalPolling({
    ...{ file, sync, log, wait, now: Date.now, random: Math.random, owner: crypto.randomUUID() },
    open: async (accountId) => {
      await openedTracker(accountId);
    },
  }),
);
