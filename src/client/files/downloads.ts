import type { Dispatcher } from 'undici';
import { TrackerError } from '../../core/errors.ts';
import type { NetworkSettings } from '../../core/ports/connection.ts';
import type { Beginning, Downloads, SaveOptions } from '../../core/ports/outgoingFiles.ts';
import type { CallOptions } from '../../core/ports/tracker.ts';
import { discarded, GatheredBytes, oneHeader } from '../http/answerBody.ts';
import { DEFAULT_TIMEOUTS, Deadline, type Timeouts } from '../http/timeouts.ts';
import { connectionsOver } from '../network/connections.ts';
import { networkError } from '../network/networkError.ts';
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

  beginning(address: string, most: number, { signal }: CallOptions = {}): Promise<Beginning> {
    return this.opened(address, signal, async ({ body, size }) => {
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
    return this.opened(address, signal, async ({ body, size }) => {
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
    signal: AbortSignal | undefined,
    use: (it: Opened) => Promise<T>,
  ): Promise<T> {
    let url = webAddress(address);
    for (let followed = 0; ; followed += 1) {
      const step = await this.step(url, signal, use);
      if ('value' in step) return step.value;
      if (followed >= MOST_REDIRECTS)
        throw new TrackerError('protocol', `${url.host} redirects the download in a loop.`);
      url = step.next;
    }
  }

  /** One request over connections of its own, which end with it. */
  private async step<T>(
    url: URL,
    caller: AbortSignal | undefined,
    use: (it: Opened) => Promise<T>,
  ): Promise<{ readonly value: T } | { readonly next: URL }> {
    const { connect, headers: headersTimeout, body: bodyTimeout, total, filePace: pace } = this.timeouts;
    const deadline = new Deadline({ total, pace }, caller);
    const { signal } = deadline;
    const network = { ...this.network, systemProxies: await this.host.systemProxies(url.origin) };
    const connections = connectionsOver(routesTo(url, network, connect, this.host.negotiate), url);
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
      throw ended ?? (error instanceof TrackerError ? error : networkError(error, REQUEST, url.host));
    } finally {
      deadline.dispose();
      await connections.close();
    }
  }
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
  if (!isWeb) throw new TrackerError('protocol', 'The download address is not an http(s) URL.', { request: REQUEST });
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
    ? `${host} refused to send this attachment. Its address may have expired. Try again.`
    : `Could not download the attachment. ${host} answered with status ${status}.`;
  return new TrackerError(isGone ? 'notFound' : 'server', text, { request: REQUEST, status });
}

function sizeOf(answer: Dispatcher.ResponseData): number | undefined {
  const length = oneHeader(answer, 'content-length');
  const isPlain = /^(?:identity)?$/i.test(oneHeader(answer, 'content-encoding') ?? '');
  return isPlain && length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}
