import { subscribe } from 'node:diagnostics_channel';
import { rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { createTracker } from '../../../src/client/tracker/httpTracker.ts';
import { ReplicaFile } from '../../../src/sync/file/replicaFile.ts';
import { TrackerSync } from '../../../src/sync/refresh/trackerSync.ts';
import { LocalReplica } from '../../../src/sync/replica/replica.ts';
import { silentLog } from '../../support/silentLog.ts';

/** Bytes over the wire in both directions, and milliseconds of this process's CPU. */
export interface Cost {
  readonly bytes: number;
  readonly cpu: number;
  /** The lists were read. */
  readonly isRead: boolean;
}

const [url = '', token = '', project = '', first = '', path = '', count = ''] = process.argv.slice(2);
const [projectId, firstId, rounds] = [Number(project), Number(first), Number(count)];
const account = { accountId: 'bench', address: url };
const key = { ...account, projectId };

const sockets = new Set<Socket>();
subscribe('undici:client:connected', (message) => {
  if (typeof message === 'object' && message && 'socket' in message) sockets.add(message.socket as Socket);
});
const bytesNow = () => [...sockets].reduce((sum, { bytesRead, bytesWritten }) => sum + bytesRead + bytesWritten, 0);

let lists = 0;
const tracker = createTracker({ baseUrl: url, token: async () => token, log: silentLog, isCompressed: false });
const counted = Object.assign(Object.create(tracker), {
  currentBacklog: (id: number) => {
    lists++;
    return tracker.currentBacklog(id);
  },
}) as typeof tracker;
let file = openFile();
let sync = openSync();
let mark: string | undefined;

function openFile(): ReplicaFile {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  return new ReplicaFile({ path, log: silentLog });
}

function openSync(): TrackerSync {
  return new TrackerSync({
    file,
    replica: new LocalReplica(file),
    tracker: () => counted,
    log: silentLog,
    now: Date.now,
  });
}

async function cost(isListed = false): Promise<Cost> {
  const [bytes, cpu, read] = [bytesNow(), process.cpuUsage(), lists];
  const since = mark === undefined ? {} : { mark };
  const changes = await sync.refresh(key, { ...since, isListed, onStories: () => undefined });
  mark = changes.mark;
  const { user, system } = process.cpuUsage(cpu);
  return { bytes: bytesNow() - bytes, cpu: (user + system) / 1000, isRead: lists > read };
}

async function full(): Promise<Cost> {
  file.close();
  file = openFile();
  sync = openSync();
  mark = undefined;
  await sync.readProjects(account);
  return cost();
}

async function write(method: string, suffix: string, body?: string): Promise<void> {
  const headers = { 'X-ServiceToken': token, 'Content-Type': 'application/xml' };
  const address = `${url}/services/v3/projects/${projectId}/stories/${suffix}`;
  const answer = await fetch(address, { method, headers, ...(body !== undefined && { body }) });
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  await answer.text();
}

const anyId = () => firstId + 50 + Math.floor(Math.random() * 9000);
const started: number[] = [];
const changes: Readonly<Record<string, () => Promise<void>>> = {
  rename: () => write('PUT', String(anyId()), '<story><name>Another name</name></story>'),
  move: () => write('POST', `${anyId()}/moves?move[move]=before&move[target]=${anyId()}`),
  estimate: () => write('PUT', String(anyId()), `<story><estimate>${Math.floor(Math.random() * 4)}</estimate></story>`),
  start: () => {
    started.push(anyId());
    return write('PUT', String(started.at(-1)), '<story><current_state>started</current_state></story>');
  },
  accept: () => write('PUT', String(started.pop()), '<story><current_state>accepted</current_state></story>'),
};

async function measured(): Promise<Readonly<Record<string, readonly Cost[]>>> {
  const results: Record<string, Cost[]> = { full: [], nothing: [], listed: [] };
  for (let round = 0; round < 4; round++) results.full?.push(await full());
  results.full?.shift();
  for (let round = 0; round < rounds; round++) {
    for (const [name, change] of Object.entries(changes)) {
      await change();
      results[name] ??= [];
      results[name].push(await cost());
      results.nothing?.push(await cost());
    }
  }
  await new Promise((resolve) => setTimeout(resolve, 10_500));
  await cost();
  for (let round = 0; round < rounds * 5; round++) {
    await sync.readProjects(account);
    results.listed?.push(await cost(true));
  }
  return results;
}

void measured().then((results) => {
  file.close();
  process.stdout.write(`${JSON.stringify(results)}\n`);
  process.exit(0);
});
