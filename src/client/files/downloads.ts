import type { Dispatcher } from 'undici';
import { retold, TrackerError } from '../../core/errors.ts';
import type { NetworkSettings } from '../../core/ports/connection.ts';
import type { Beginning, Downloads, SaveOptions } from '../../core/ports/outgoingFiles.ts';
import type { CallOptions } from '../../core/ports/tracker.ts';
import { t } from '../../core/translation.ts';
import { discarded, GatheredBytes, oneHeader } from '../http/answerBody.ts';
import { DEFAULT_TIMEOUTS, Deadline, type Timeouts, TimeSpent } from '../http/timeouts.ts';
import { type Connections, connectionsOver } from '../network/connections.ts';
import { networkError, secondsOf } from '../network/networkError.ts';
import { isRedirect } from '../network/redirect.ts';
import { routesTo } from '../network/route.ts';
import type { Negotiate } from '../network/tunnel.ts';
import { writeNewFile } from './newFile.ts';

const MOST_REDIRECTS = 5;
/** Milliseconds between two reports of progress. */
const REPORT_EVERY = 100;
/** What errors call it, because the address itself grants access to everyone. */
const REQUEST = 'GET (download address)';

interface Opened {
  /** In bytes, where the answer tells. */
  readonly size: number | undefined;
  readonly body: AsyncIterable<Uint8Array>;
}

/** What only the window can find out about the way to an address. */
interface NetworkHost {
  /** For each address that is asked, what `Network` has for one server. */
  readonly systemProxies: (url: string) => Promise<string>;
  readonly negotiate?: Negotiate;
}

/** Reads temporary addresses over the same proxies and certificates as a server's own, with nothing that names the user. */
export class HttpDownloads implements Downloads {
  private readonly network: NetworkSettings;
  private readonly host: NetworkHost;
  private readonly timeouts: Timeouts;

  constructor(
    network: NetworkSettings,
    host: NetworkHost = { systemProxies: async () => '' },
    timeouts: Partial<Timeouts> = {},
  ) {
    this.network = network;
    this.host = host;
    this.timeouts = { ...DEFAULT_TIMEOUTS, ...timeouts };
  }

  beginning(address: string, most: number, options: CallOptions = {}): Promise<Beginning> {
    return this.opened(address, options, async ({ body, size }) => {
      const gathered = new GatheredBytes(size);
      for await (const piece of body) {
        gathered.add(piece);
        if (gathered.length > most) break;
      }
      const isWhole = gathered.length <= most;
      const known = isWhole ? gathered.length : size;
      return {
        bytes: gathered.bytes(most),
        isWhole,
        ...(known !== undefined && { size: known }),
      };
    });
  }

  save(address: string, path: string, options: SaveOptions = {}): Promise<number> {
    const { signal, onProgress, isReplacing = false } = options;
    return this.opened(address, options, async ({ body, size }) => {
      let written = 0;
      let told = 0;
      async function* counted() {
        for await (const piece of body) {
          yield piece;
          written += piece.length;
          if (performance.now() - told < REPORT_EVERY) continue;
          told = performance.now();
          onProgress?.(written, size);
        }
      }
      await writeNewFile(path, counted(), { signal, isReplacing });
      onProgress?.(written, written);
      return written;
    });
  }

  private async opened<T>(
    address: string,
    { signal: caller, waited = 0 }: CallOptions,
    use: (it: Opened) => Promise<T>,
  ): Promise<T> {
    let url = webAddress(address);
    // Redirects share the time of one download, and asking for its address had its part of that.
    const spent = new TimeSpent(waited);
    for (let followed = 0; ; followed += 1) {
      const step = await this.step(url, { caller, spent }, use).catch((thrown: unknown) => {
        throw waited > this.timeouts.total / 2 ? afterLongWait(thrown, waited) : thrown;
      });
      if ('value' in step) return step.value;
      if (followed >= MOST_REDIRECTS)
        throw new TrackerError('protocol', t('{0} redirects the download in a loop.', url.host));
      url = step.next;
    }
  }

  /** One request over connections of its own, which end with it. */
  private async step<T>(
    url: URL,
    { caller, spent }: { readonly caller: AbortSignal | undefined; readonly spent: TimeSpent },
    use: (it: Opened) => Promise<T>,
  ): Promise<{ readonly value: T } | { readonly next: URL }> {
    const { headers: headersTimeout, body: bodyTimeout, total, filePace: pace } = this.timeouts;
    const deadline = new Deadline({ total, pace }, caller, spent);
    const { signal } = deadline;
    const connections = await this.connectionsTo(url, deadline).catch((thrown: unknown) => {
      deadline.dispose();
      throw thrown;
    });
    try {
      if (signal.aborted) throw cancelled();
      const headers = { accept: '*/*', 'accept-encoding': 'identity' };
      const options = { method: 'GET', headers, headersTimeout, bodyTimeout, signal } as const;
      const answer = await connections.request(url, options);
      if (isRedirect(answer.statusCode)) return { next: await redirected(url, answer) };
      if (answer.statusCode !== 200) throw await refusal(url, answer);
      return { value: await use({ size: sizeOf(answer), body: noted(answer.body, deadline) }) };
    } catch (error) {
      const ended = deadline.error(REQUEST, url.host);
      throw ofDownload(ended ?? (error instanceof TrackerError ? error : networkError(error, REQUEST, url.host)));
    } finally {
      deadline.dispose();
      await connections.close();
    }
  }

  /** Over the proxy that the window finds for the address, as long as there is time for that. */
  private async connectionsTo(url: URL, deadline: Deadline): Promise<Connections> {
    const early = deadline.error(REQUEST, url.host);
    if (early) throw ofDownload(early);
    const systemProxies = await unlessAborted(this.host.systemProxies(url.origin), deadline.signal);
    if (systemProxies !== undefined) {
      const network = { ...this.network, systemProxies };
      return connectionsOver(routesTo(url, network, this.timeouts.connect, this.host.negotiate), url);
    }
    if (deadline.error(REQUEST, url.host)?.kind !== 'timeout') throw cancelled();
    const sentence = t('Finding the proxy for {0} took too long. Check the proxy settings and try again.', url.host);
    throw new TrackerError('timeout', sentence, { request: REQUEST });
  }
}

/** `undefined` where it is aborted before. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const aborted = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  return Promise.race([aborted, work]);
}

/** Tells it from what was asked of the server before. */
function ofDownload(error: TrackerError): TrackerError {
  return error.kind === 'timeout'
    ? retold(error, t('The download of the attachment took too long. {0}', error.message))
    : error;
}

/** `waited`: how many milliseconds the server took to tell the address. */
function afterLongWait(thrown: unknown, waited: number): unknown {
  if (!(thrown instanceof TrackerError && thrown.kind === 'timeout')) return thrown;
  return retold(
    thrown,
    t(
      'No time was left to download the attachment. Asking for its address took {0}. Check the connection to its server and try again.',
      secondsOf(waited),
    ),
  );
}

async function* noted(body: AsyncIterable<Uint8Array>, deadline: Deadline): AsyncGenerator<Uint8Array> {
  for await (const piece of body) {
    deadline.note(piece.length);
    yield piece;
  }
}

function cancelled(): TrackerError {
  return new TrackerError('cancelled', 'Canceled.', { request: REQUEST });
}

function webAddress(address: string, from?: URL): URL {
  const url = URL.parse(address, from?.href);
  const isWeb = url && (url.protocol === 'https:' || (url.protocol === 'http:' && from?.protocol !== 'https:'));
  if (!isWeb)
    throw new TrackerError('protocol', t('The download address is not an http(s) URL.'), { request: REQUEST });
  url.username = '';
  url.password = '';
  return url;
}

async function redirected(from: URL, answer: Dispatcher.ResponseData): Promise<URL> {
  const location = oneHeader(answer, 'location') ?? '';
  await discarded(answer);
  return webAddress(location, from);
}

async function refusal({ host }: URL, answer: Dispatcher.ResponseData): Promise<TrackerError> {
  const status = answer.statusCode;
  await discarded(answer);
  const isGone = status === 403 || status === 404 || status === 410;
  const text = isGone
    ? t('{0} refused to send this attachment. Its address may have expired. Try again.', host)
    : t('Could not download the attachment. {0} answered with status {1}.', host, status);
  return new TrackerError(isGone ? 'notFound' : 'server', text, { request: REQUEST, status });
}

function sizeOf(answer: Dispatcher.ResponseData): number | undefined {
  const length = oneHeader(answer, 'content-length');
  const isPlain = /^(?:identity)?$/i.test(oneHeader(answer, 'content-encoding') ?? '');
  return isPlain && length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}
