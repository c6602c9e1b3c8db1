/**
 * `node test/bench/programs/importBesideWriters.ts [ROWS] [--writers N] [--alone SECONDS] [--turn SECONDS] [--postgres] [--into]`: how long
 * others wait to write while many stories are imported, into a new project or one that is there. The writers are a process of their own. They
 * write alone at first, and then beside the import for two turns of three: in every third it is kept from the store, so that the load of the
 * machine is told apart from what the import does. Without writers (`--writers 0`) it tells how much memory the import keeps at each tenth of
 * the file, after all garbage was collected.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openAttachmentFiles } from '../../../src/service/attachments/openAttachmentFiles.ts';
import { startService } from '../../../src/service/start/startService.ts';
import { mintToken } from '../../../src/service/store/people/tokens.ts';
import { addUser } from '../../../src/service/store/people/users.ts';
import { importFile } from '../../../src/service/transfer/import/importFile.ts';
import { heapInUse } from '../../service/support/heapInUse.ts';
import { waitedForProcessor } from '../../service/support/hostile/serviceWatch.ts';
import { startPostgres } from '../../support/postgres/postgresServer.ts';
import { quantile } from '../support/statistics.ts';
import { StoreHolds } from '../support/storeHolds.ts';

interface Writing {
  readonly url: string;
  readonly token: string;
  readonly project: number;
  readonly writers: number;
}

interface Wishes {
  readonly rows: number;
  readonly writers: number;
  readonly aloneSeconds: number;
  readonly turnSeconds: number;
  readonly isInto: boolean;
  readonly database: string | undefined;
}

const MIB = 1024 * 1024;
/** Milliseconds between two changes of a writer. */
const PAUSE_MS = 250;
/** Milliseconds for which writers write before they are measured: code runs in, connections open. */
const WARM_UP_MS = 2_000;
const EMAIL = 'ada@example.org';

async function post({ url, token }: Pick<Writing, 'url' | 'token'>, to: string, body: string): Promise<string> {
  const headers = { 'X-ServiceToken': token, 'Content-Type': 'application/xml' };
  const answer = await fetch(`${url}/services/v3${to}`, { method: 'POST', headers, body });
  if (answer.status !== 200) throw new Error(`${to} answered ${answer.status}: ${await answer.text()}`);
  return answer.text();
}

/** How long a change took, in milliseconds. */
interface Wait {
  readonly clock: number;
  /** Without what the kernel says that the service's thread and the writers' waited for a processor that others had. */
  readonly judged: number;
}

const starved = (): number => waitedForProcessor(process.ppid) + waitedForProcessor();

type Phase = 'not counted' | 'alone' | 'beside';
type Waits = Readonly<Record<Phase, Wait[]>>;

/** The process of the writers: writes until it is told to end, and then tells how long the changes took that were begun in each phase. */
function write(to: Writing): void {
  let phase: Phase | 'end' = 'not counted';
  const waits: Waits = { 'not counted': [], alone: [], beside: [] };
  const writers = Array.from({ length: to.writers }, async (_, writer) => {
    while (phase !== 'end') {
      const [begunIn, begun, before] = [phase, performance.now(), starved()];
      await post(to, `/projects/${to.project}/stories`, `<story><name>Beside ${writer}</name></story>`);
      const clock = performance.now() - begun;
      waits[begunIn].push({ clock, judged: Math.max(0, clock - (starved() - before)) });
      await wait(PAUSE_MS * (0.5 + Math.random()));
    }
  });
  process.on('message', async (message: Phase | 'end' | 'tell') => {
    if (message !== 'tell') phase = message;
    if (message === 'end') await Promise.all(writers);
    if (message === 'end' || message === 'tell') process.send?.(waits, () => message === 'end' && process.disconnect());
  });
}

async function toldBy(child: ChildProcess, message: 'end' | 'tell'): Promise<Waits> {
  const answer = once(child, 'message');
  child.send(message);
  return ((await answer) as [Waits])[0];
}

/** Keeps the import from the store for a third of the time, so that what others do to the machine meets both sides alike. What comes back ends it. */
function alternate(child: ChildProcess, store: StoreHolds, seconds: number): () => void {
  let isShut = false;
  const turn = (): void => {
    child.send(isShut ? 'alone' : ('beside' satisfies Phase));
    if (isShut) store.shut();
    else store.open();
    timer = setTimeout(turn, seconds * (isShut ? 1000 : 2000));
    isShut = !isShut;
  };
  let timer: NodeJS.Timeout | undefined;
  turn();
  return () => clearTimeout(timer);
}

async function writeTable(path: string, rows: number): Promise<void> {
  const file = createWriteStream(path);
  file.write('Id,Title,Labels,Current State,Description,Comment,Task,Task Status\n');
  for (let row = 1; row <= rows; row += 1) {
    const line = `${row},Story ${row},"a, l${row % 50}",unstarted,Text of ${row},"Yes (Ada - Jan 5, 2026)",Do,completed\n`;
    if (!file.write(line)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
}

const mib = (bytes: number): string => `${Math.round(bytes / MIB)}`;
const whole = (milliseconds: number): string => `${Math.round(milliseconds)} ms`;

/** What went on in the process of the service during some time. */
interface Watched<T> {
  readonly made: T;
  readonly seconds: number;
  readonly summary: string;
}

async function watched<T>(work: () => Promise<T>): Promise<Watched<T>> {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const begun = performance.now();
  const processor = process.cpuUsage();
  const starved = waitedForProcessor(process.pid);
  const made = await work();
  const seconds = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(processor);
  delays.disable();
  const summary =
    `${seconds.toFixed(1)} s (${((user + system) / 1e6).toFixed(1)} s of the processor; the thread waited for one for ` +
    `${((waitedForProcessor(process.pid) - starved) / 1000).toFixed(1)} s); longest hold of the thread ${whole(delays.max / 1e6)}, ` +
    `p99 ${whole(delays.percentile(99) / 1e6)}; load ${loadavg()[0]?.toFixed(1)}`;
  return { made, seconds, summary };
}

function waitsText(waits: readonly Wait[]): string {
  const three = (key: keyof Wait): string => {
    const of = waits.map((each) => each[key]);
    return `median ${whole(quantile(of, 0.5))}, p99 ${whole(quantile(of, 0.99))}, longest ${whole(quantile(of, 1))}`;
  };
  return `${waits.length} writes: ${three('clock')}; without waiting for a processor ${three('judged')}`;
}

function ratioText(beside: readonly Wait[], alone: readonly Wait[]): string {
  const ratio = (key: keyof Wait): string => {
    const [over = Number.NaN, under = Number.NaN] = [beside, alone].map((waits) =>
      quantile(
        waits.map((each) => each[key]),
        0.99,
      ),
    );
    return (over / under).toFixed(2);
  };
  return `p99 ${ratio('clock')} × alone, ${ratio('judged')} × without waiting for a processor`;
}

function holdsText({ holds, longestQueue }: StoreHolds): string {
  const held = holds.map((each) => each.held);
  const waited = holds.map((each) => each.waited);
  const three = (values: readonly number[]): string =>
    [0.5, 0.99, 1].map((part) => whole(quantile(values, part))).join(', ');
  return (
    `${holds.length} transactions of the import held the store (median, p99, longest) ${three(held)} and waited for it ${three(waited)}; ` +
    `someone waited for it for ${whole(longestQueue)} on end at most`
  );
}

function tellSoFar(tell: (line: string) => void, tenths: number): (waits: Waits) => void {
  return ({ alone, beside }) => tell(`${tenths} of 10: beside ${waitsText(beside)}; ${ratioText(beside, alone)}`);
}

/** A project in which others write, and one into which stories may be imported. */
async function furnished(service: Awaited<ReturnType<typeof startService>>) {
  const token = await service.database.write(async (tx) => {
    const { id } = await addUser(tx, { name: 'Ada', email: EMAIL }, Date.now());
    return mintToken(tx, id, 'user', Date.now());
  });
  const to = { url: service.url, token };
  const made = async (name: string): Promise<number> => {
    const answer = await post(to, '/projects', `<project><name>${name}</name></project>`);
    return Number(/<id[^>]*>(\d+)/.exec(answer)?.[1]);
  };
  return { to, project: await made('Beside'), target: await made('Into') };
}

async function measure({ rows, writers, aloneSeconds, turnSeconds, isInto, database }: Wishes): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'story-tracker-bench-'));
  const service = await startService({ dataFolder: join(folder, 'data'), ...(database !== undefined && { database }) });
  const tell = (line: string): void => void process.stdout.write(`${line}\n`);
  try {
    const path = join(folder, 'many.csv');
    await writeTable(path, rows);
    const { to, project, target } = await furnished(service);
    const program = fileURLToPath(import.meta.url);
    const child = writers === 0 ? undefined : fork(program, [JSON.stringify({ ...to, project, writers })]);
    if (child) {
      await wait(WARM_UP_MS);
      child.send('alone' satisfies Phase);
      const { summary } = await watched(() => wait(aloneSeconds * 1000));
      tell(`alone at first: ${summary}`);
    }
    const kept: number[] = [];
    let tenths = 0;
    const resident: number[] = [];
    const atRest = { heap: writers === 0 ? heapInUse() : 0, resident: process.memoryUsage().rss };
    const sampler = setInterval(() => resident.push(process.memoryUsage().rss), 100);
    const store = new StoreHolds(service.database);
    const files = await openAttachmentFiles(service);
    const endTurns = child && alternate(child, store, turnSeconds);
    const { made: report, summary } = await watched(() =>
      importFile(
        { database: store.database, files },
        {
          ...{ path, owner: EMAIL, addsPeople: false, keepsIds: false, isTrial: false, now: Date.now() },
          ...(isInto ? { projectId: target } : { name: 'Many' }),
          onProgress: (part) => {
            if (part < (tenths + 1) / 10) return;
            tenths += 1;
            if (writers === 0) kept.push(heapInUse() - atRest.heap);
            else if (child) void toldBy(child, 'tell').then(tellSoFar(tell, tenths));
          },
        },
      ),
    );
    endTurns?.();
    store.stop();
    clearInterval(sampler);
    tell(`import: ${report.created} stories in ${summary}; ${holdsText(store)}`);
    if (child) {
      const { alone, beside } = await toldBy(child, 'end');
      tell(`alone: ${writers} writers, ${waitsText(alone)}`);
      tell(`beside: ${writers} writers, ${waitsText(beside)}; ${ratioText(beside, alone)}`);
    }
    tell(
      `memory: resident ${mib(Math.max(...resident) - atRest.resident)} MiB more at most` +
        (kept.length > 0 ? `; in use at each tenth: ${kept.map(mib).join(', ')} MiB` : ''),
    );
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

if (process.send) write(JSON.parse(process.argv[2] ?? '{}') as Writing);
else {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      writers: { type: 'string', default: '20' },
      alone: { type: 'string', default: '10' },
      turn: { type: 'string', default: '4' },
      postgres: { type: 'boolean' },
      into: { type: 'boolean' },
    },
  });
  const server = values.postgres ? await startPostgres({ isDurable: true }) : undefined;
  try {
    await measure({
      rows: Number(positionals[0] ?? 100_000),
      writers: Number(values.writers),
      aloneSeconds: Number(values.alone),
      turnSeconds: Number(values.turn),
      isInto: values.into === true,
      database: server?.address,
    });
  } finally {
    await server?.stop();
  }
}
