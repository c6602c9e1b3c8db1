import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { hasAgentDoor } from './client/check/agentDoor.ts';
import { checkConnection } from './client/check/connectionWalk.ts';
import { HttpDownloads } from './client/files/downloads.ts';
import { sweepMadeFiles } from './client/files/newFile.ts';
import { LocalOutgoingFiles } from './client/files/outgoingFiles.ts';
import { identityOf } from './client/network/clientCertificate.ts';
import { createTracker, type HttpTracker } from './client/tracker/httpTracker.ts';
import { requestFor } from './client/tracker/intentRequest.ts';
import { messageOf, TrackerError } from './core/errors.ts';
import type { Log } from './core/log.ts';
import { setTranslations, t } from './core/translation.ts';
import { createBranchFacts } from './git/branchFacts.ts';
import { createCommitHooks } from './git/commitHooks.ts';
import { createHistory } from './git/history.ts';
import { GitCommitFinder } from './git/newCommits.ts';
import { GitPatches } from './git/patches.ts';
import { useGit } from './git/safeGit.ts';
import { Peer } from './remote/peer.ts';
import { connect, type HostServices, serve, trackerName, type WorkerServices } from './remote/services.ts';
import { StoredFoundCommits } from './sync/commits/foundCommits.ts';
import { StoredLinkedCommits } from './sync/commits/linkedCommits.ts';
import { isRunning } from './sync/file/lease.ts';
import { ReplicaFile } from './sync/file/replicaFile.ts';
import { OutboxSender } from './sync/outbox/outboxSender.ts';
import { LocalPolling } from './sync/polling/localPolling.ts';
import { FailureRecordingSync } from './sync/refresh/failureRecordingSync.ts';
import { TrackerSync } from './sync/refresh/trackerSync.ts';
import { StoredActiveStories } from './sync/replica/activeStories.ts';
import { LocalActivityLog } from './sync/replica/activityLog.ts';
import { LocalReplica } from './sync/replica/replica.ts';

if (!parentPort) throw new Error('This file runs as a worker thread of the extension.');
const { replicaPath: path, translations }: Readonly<Record<string, unknown>> = workerData ?? {};
if (isTexts(translations)) setTranslations(translations);
const peer = new Peer(parentPort);

const window = connect<HostServices>((service, method, args) => peer.call(service, method, args));

const tell = (level: keyof Log) => (message: string | Error) => {
  void window.log[level](message instanceof Error ? message.message : message).catch(() => undefined);
};
const log: Log = { debug: tell('debug'), info: tell('info'), warn: tell('warn'), error: tell('error') };

const trackers = new Map<string, HttpTracker>();

const negotiate = (proxyHost: string) => window.proxies.negotiate(proxyHost);
const networkHost = { systemProxies: (url: string) => window.proxies.system(url), negotiate };

const tokenOf = (accountId: string, baseUrl: string) => () => window.tokens.token(accountId, baseUrl);

const file = new ReplicaFile({ log, ...(typeof path === 'string' && { path }) });
const replica = new LocalReplica(file);
const tracker = (accountId: string) => {
  const opened = trackers.get(accountId);
  if (!opened) throw new TrackerError('unauthorized', t('You are not signed in to this server.'));
  return opened;
};
const openedTracker = async (accountId: string) => {
  await window.accounts.open(accountId);
  return tracker(accountId);
};
const wait = (milliseconds: number, signal: AbortSignal) =>
  sleep(milliseconds, undefined, { signal }).catch(() => undefined);
const outbox = new OutboxSender({ file, tracker: openedTracker, log, now: Date.now, wait, random: Math.random });
const sync = new FailureRecordingSync({
  file,
  now: Date.now,
  sync: new TrackerSync({
    ...{ file, replica, log, now: Date.now },
    tracker: (accountId, waited) => tracker(accountId).sharingTime(waited),
  }),
  onBack: (account) => {
    outbox
      .serverIsBack(account)
      .catch((thrown: unknown) => log.warn(`could not wake the outbox: ${messageOf(thrown)}`));
  },
});

serve<WorkerServices>(peer, {
  trackers: {
    async open({ accountId, baseUrl, tokenHeader, network }) {
      const before = trackers.get(accountId);
      const token = tokenOf(accountId, baseUrl);
      const opened = createTracker({ baseUrl, token, tokenHeader, network, negotiate, log });
      trackers.set(accountId, opened);
      peer.expose(trackerName(accountId), opened);
      // What is under way, an upload perhaps, ends the way it began.
      before?.retire().catch((thrown: unknown) => log.error(String(thrown)));
    },
    async close(accountId) {
      peer.withdraw(trackerName(accountId));
      await trackers.get(accountId)?.close();
      trackers.delete(accountId);
    },
  },
  connections: {
    tryCertificate: async (certificate) => void (await identityOf(certificate)),
    hasAgentDoor: async ({ baseUrl, network }) => hasAgentDoor({ baseUrl, network, negotiate, log }),
    check({ accountId, baseUrl, tokenHeader, network }, isSignedIn, progress) {
      const token = isSignedIn ? { token: tokenOf(accountId, baseUrl) } : {};
      return checkConnection({ baseUrl, tokenHeader, network, negotiate, log, ...token }, progress);
    },
  },
  git: { use: async (program) => useGit(program) },
  intentRequests: { requestFor: async (projectId, intent) => requestFor(projectId, intent) },
  history: createHistory(),
  branchFacts: createBranchFacts(),
  commitHooks: createCommitHooks(),
  commitFinder: new GitCommitFinder(new StoredFoundCommits({ file, now: Date.now, process: process.pid, isRunning })),
  patches: new GitPatches(),
  outgoingFiles: new LocalOutgoingFiles(),
  downloads: {
    beginning: (network, ...args) => new HttpDownloads(network, networkHost).beginning(...args),
    save: (network, ...args) => new HttpDownloads(network, networkHost).save(...args),
  },
  replica,
  activityLog: new LocalActivityLog(file),
  sync,
  linkedCommits: new StoredLinkedCommits(file),
  activeStories: new StoredActiveStories(file),
  outbox,
  polling: new LocalPolling({
    ...{ file, sync, log, wait, now: Date.now, random: Math.random, owner: crypto.randomUUID() },
    open: async (accountId) => {
      await openedTracker(accountId);
    },
  }),
});

sweepMadeFiles(tmpdir()).catch((thrown: unknown) => log.warn(`could not remove temporary files: ${messageOf(thrown)}`));

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return typeof value === 'object' && value !== null && Object.values(value).every((text) => typeof text === 'string');
}
