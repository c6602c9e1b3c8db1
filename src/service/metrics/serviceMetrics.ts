import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { AGENT_PATH } from '../../core/ports/connection.ts';
import { plainPath } from '../../v3/assumptions.ts';
import { API_ROOT, matchEndpoint } from '../../v3/endpoints.ts';
import { downloadId } from '../attachments/downloadAddress.ts';
import { PREFERENCES_PATH } from '../call/mails.ts';
import type { AnsweredRequest, FrontFigures } from '../front/requestHandler.ts';
import { isStoreUnavailable } from '../ground/errors.ts';
import { hostCheck, readHost } from '../http/hostNames.ts';
import { storyPageId } from '../http/storyPage.ts';
import { SharedWork } from '../memory/sharedWork.ts';
import type { Database } from '../store/database.ts';
import { storedBytes } from '../store/databaseState.ts';
import { countJobs, type JobCount } from '../store/jobs/queues.ts';
import { Counter, counted, Durations, EXPOSITION_TYPE, gauge } from './exposition.ts';

/** What is only asked for now and then, since it is asked of the database. */
interface StoredFigures {
  readonly bytes: number;
  readonly jobs: readonly JobCount[];
}

/** Milliseconds for which figures of the database are good, and for which they are waited for. */
const STORED_MS = 10_000;
const PATIENCE_MS = 3_000;
/** Milliseconds between two looks at how late the event loop is. */
const RESOLUTION_MS = 20;
const NANOSECONDS = 1e9;
const QUANTILES: readonly number[] = [0.5, 0.9, 0.99];

/** What a service counts and measures of itself, in a form that monitoring reads. */
export class ServiceMetrics {
  private readonly requests = new Counter({
    name: 'story_tracker_requests_total',
    help: 'Answered requests by endpoint and status.',
    labels: ['endpoint', 'status'],
  });
  private readonly durations = new Durations({
    name: 'story_tracker_request_duration_seconds',
    help: 'Time from a request to the end of its answer.',
    labels: ['endpoint'],
  });
  private readonly waits = new Durations({
    name: 'story_tracker_database_wait_seconds',
    help: 'Time for which transactions waited for a connection and for locks before they began.',
    labels: ['kind'],
  });
  private readonly transactions = new Durations({
    name: 'story_tracker_database_transaction_seconds',
    help: 'Time from the beginning of a transaction to its end.',
    labels: ['kind'],
  });
  private readonly failures = new Counter({
    name: 'story_tracker_database_unavailable_total',
    help: 'Transactions that were given up because the database was busy, away or not writable.',
    labels: ['kind'],
  });
  private readonly delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  private stored: { readonly at: number; readonly figures: Promise<StoredFigures | undefined> } | undefined;

  constructor() {
    this.delay.enable();
  }

  /** `basePath` is what stands before the path of the API, if anything. */
  noteAnswer({ method, path, status, milliseconds }: AnsweredRequest, basePath: string): void {
    const endpoint = endpointOf(method, path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path);
    this.requests.add(endpoint, String(status));
    this.durations.add(milliseconds, endpoint);
  }

  /** The same store, of which each transaction is measured. */
  measured(database: Database): Database {
    const measure = async <T>(kind: 'read' | 'write', run: (begin: () => void) => Promise<T>): Promise<T> => {
      const asked = performance.now();
      let begun: number | undefined;
      try {
        return await run(() => {
          begun ??= performance.now();
        });
      } catch (error) {
        if (isStoreUnavailable(error)) this.failures.add(kind);
        throw error;
      } finally {
        const now = performance.now();
        this.waits.add((begun ?? now) - asked, kind);
        if (begun !== undefined) this.transactions.add(now - begun, kind);
      }
    };
    const begins =
      <A, T>(work: (tx: A) => Promise<T>, begin: () => void) =>
      (tx: A): Promise<T> => {
        begin();
        return work(tx);
      };
    return {
      ...database,
      read: (work, caller) => measure('read', (begin) => database.read(begins(work, begin), caller)),
      write: (work, caller) => measure('write', (begin) => database.write(begins(work, begin), caller)),
    };
  }

  async text(database: Database, front: FrontFigures): Promise<string> {
    const stored = await this.storedFigures(database);
    const texts = [
      this.requests.text(),
      this.durations.text(),
      frontText(front),
      this.waits.text(),
      this.transactions.text(),
      this.failures.text(),
      poolText(database),
      storedText(stored),
      this.delayText(),
      processText(),
    ];
    return texts.join('');
  }

  stop(): void {
    this.delay.disable();
  }

  /** Undefined while the database does not answer: all else is then still told. */
  private async storedFigures(database: Database): Promise<StoredFigures | undefined> {
    const now = performance.now();
    if (this.stored === undefined || now - this.stored.at > STORED_MS) {
      const figures = database
        .read(async (tx) => ({
          bytes: await storedBytes(tx, database.locksRows),
          jobs: await countJobs(tx, Date.now()),
        }))
        .catch(() => undefined);
      this.stored = { at: now, figures };
    }
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), PATIENCE_MS);
    });
    return Promise.race([this.stored.figures, late]).finally(() => clearTimeout(timer));
  }

  /** Since it was last asked for. */
  private delayText(): string {
    const seconds = (nanoseconds: number): number => Math.max(nanoseconds / NANOSECONDS - RESOLUTION_MS / 1000, 0);
    const { delay } = this;
    const isEmpty = delay.count === 0;
    const samples = QUANTILES.map(
      (quantile) => [[String(quantile)], isEmpty ? 0 : seconds(delay.percentile(quantile * 100))] as const,
    );
    const text = gauge(
      {
        name: 'story_tracker_event_loop_delay_seconds',
        help: 'How late the event loop was since these figures were last read.',
        labels: ['quantile'],
      },
      [...samples, [['1'], isEmpty ? 0 : seconds(delay.max)]],
    );
    delay.reset();
    return text;
  }
}

/** One of the names of the protocol's table, or of what else there is; never anything that a request says. */
function endpointOf(method: string, path: string): string {
  if (path.startsWith(`${API_ROOT}/`)) {
    const match = matchEndpoint(method === 'HEAD' ? 'GET' : method, plainPath(path.slice(API_ROOT.length)));
    return match.kind === 'found' ? match.name : 'unknown';
  }
  if (path === '/healthz') return 'health';
  if (path === AGENT_PATH) return 'agents';
  if (path === PREFERENCES_PATH) return 'mailPreferences';
  if (storyPageId(path) !== undefined) return 'storyPage';
  return downloadId(path) === undefined ? 'unknown' : 'download';
}

function frontText({ underWay, connections, waiting, waitingForRoom }: FrontFigures): string {
  return [
    gauge({ name: 'story_tracker_requests_under_way', help: 'Requests that are not answered yet.' }, [[[], underWay]]),
    gauge({ name: 'story_tracker_connections', help: 'Open connections.' }, [[[], connections]]),
    gauge(
      {
        name: 'story_tracker_requests_waiting',
        help: 'Requests that wait for their turn, and long bodies and answers that wait for memory.',
        labels: ['for'],
      },
      [
        [['turn'], waiting],
        [['memory'], waitingForRoom],
      ],
    ),
  ].join('');
}

function poolText(database: Database): string {
  const pools = database.pools();
  const of = (figure: 'most' | 'busy' | 'waiting') => pools.map((pool) => [[pool.kind], pool[figure]] as const);
  const labels = ['kind'];
  return [
    gauge({ name: 'story_tracker_database_connections', help: 'Connections that there may be.', labels }, of('most')),
    gauge(
      { name: 'story_tracker_database_connections_busy', help: 'Connections that are in use.', labels },
      of('busy'),
    ),
    gauge(
      { name: 'story_tracker_database_waiting', help: 'Transactions that wait for a connection.', labels },
      of('waiting'),
    ),
  ].join('');
}

function storedText(stored: StoredFigures | undefined): string {
  const up = gauge({ name: 'story_tracker_database_up', help: 'Whether the database answers.' }, [
    [[], stored === undefined ? 0 : 1],
  ]);
  if (!stored) return up;
  const { bytes, jobs } = stored;
  return [
    up,
    gauge({ name: 'story_tracker_database_bytes', help: 'Size of the database, without attached files.' }, [
      [[], bytes],
    ]),
    gauge(
      {
        name: 'story_tracker_jobs',
        help: 'Web hooks and emails that wait, and those that were given up and are parked.',
        labels: ['kind', 'state'],
      },
      jobs.flatMap(({ kind, waiting, parked }) => [
        [[kind, 'waiting'], waiting] as const,
        [[kind, 'parked'], parked] as const,
      ]),
    ),
    gauge(
      { name: 'story_tracker_job_age_seconds', help: 'Age of the oldest that waits.', labels: ['kind'] },
      jobs.map(({ kind, oldest }) => [[kind], oldest / 1000]),
    ),
  ].join('');
}

function processText(): string {
  const { rss, heapTotal, heapUsed, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return [
    gauge({ name: 'process_resident_memory_bytes', help: 'Memory of the process.' }, [[[], rss]]),
    gauge({ name: 'nodejs_heap_size_total_bytes', help: 'Memory of the JavaScript heap.' }, [[[], heapTotal]]),
    gauge({ name: 'nodejs_heap_size_used_bytes', help: 'Memory of the JavaScript heap in use.' }, [[[], heapUsed]]),
    gauge({ name: 'nodejs_external_memory_bytes', help: 'Memory of buffers.' }, [[[], external]]),
    counted({ name: 'process_cpu_seconds_total', help: 'Time of processors.' }, [[[], (user + system) / 1e6]]),
    gauge({ name: 'process_start_time_seconds', help: 'When the process began, since the epoch.' }, [
      [[], performance.timeOrigin / 1000],
    ]),
  ].join('');
}

/** Where metrics are read. */
export interface MetricsAddress {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
}

interface MetricsServer {
  readonly url: string;
  stop(): Promise<void>;
}

const PATH = '/metrics';
const MOST_CONNECTIONS = 64;
const REQUEST_MS = 5_000;

/** Answers metrics at an address of its own, so that whoever reaches the API does not reach them. Throws where that address cannot be had. */
export async function startMetricsServer(
  { host, port }: MetricsAddress,
  text: () => Promise<string>,
): Promise<MetricsServer> {
  const isAllowed = hostCheck(host, []);
  const shared = new SharedWork<string>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refusal = refusedStatus(request, isAllowed);
    if (refusal !== undefined) return void response.writeHead(refusal).end();
    const body = await shared.get('', text);
    response.writeHead(200, { 'Content-Type': EXPOSITION_TYPE }).end(body);
  };
  const server = createServer({ headersTimeout: REQUEST_MS, requestTimeout: REQUEST_MS }, (request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.maxConnections = MOST_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new Error(`Could not listen on --metrics: ${error.message}`)));
    server.listen(port, host, () => resolve());
  });
  const address = server.address();
  const own = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${own}${PATH}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A page elsewhere cannot read them by pointing a name of its own here. */
function refusedStatus({ method, url = '', headers }: IncomingMessage, isAllowed: (name: string) => boolean) {
  const host = readHost(headers.host ?? '');
  if (!host || !isAllowed(host.name)) return 403;
  if (url.split('?')[0] !== PATH) return 404;
  return method === 'GET' || method === 'HEAD' ? undefined : 405;
}
