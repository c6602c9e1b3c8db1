import type { Socket } from 'node:net';
import { Agent, type buildConnector, type Dispatcher } from 'undici';
import { TrackerError } from '../../core/errors.ts';
import type { Connect } from './connect.ts';
import { isAboutCertificate, isCutOff } from './networkError.ts';
import { type ProxyServer, unreachableProxy } from './proxyServer.ts';
import { firstReachable, isForwarding, type Route } from './route.ts';
import { authorizationOf } from './tunnel.ts';

type SendRequest = (
  url: URL,
  options: Omit<Dispatcher.RequestOptions, 'origin' | 'path'>,
) => Promise<Dispatcher.ResponseData>;

/** The connections to one server, kept and used again. */
export interface Connections {
  readonly request: SendRequest;
  /** For files. */
  readonly upload: SendRequest;
  /** What lets one through proxies, and must be in no message, even when a proxy says it. */
  readonly secrets: readonly string[];
  /** Breaks off what is under way. */
  close(): Promise<void>;
}

/** Requests take turns before they come here; these are for those that hang, too. */
const MOST_CONNECTIONS = 64;

/** Connections over the first of these ways on which something answers, which is found out anew when that way fails. */
export function connectionsOver(routes: readonly Route[], server: URL): Connections {
  const ways = new Map(routes.map((route) => [route, connectionsOn(route, server)]));
  const [only] = ways.values();
  if (only && ways.size === 1) return endedBySignals(only);
  let chosen: Promise<Route> | undefined;
  const over =
    (name: 'request' | 'upload'): SendRequest =>
    async (url, options) => {
      chosen ??= firstReachable(routes);
      const way = ways.get(await chosen);
      if (!way) throw new Error('There is no way to the server.');
      try {
        return await way[name](url, options);
      } catch (error) {
        // Only connections that do not come about throw errors of ours.
        if (error instanceof TrackerError) chosen = undefined;
        throw error;
      }
    };
  const close = async () => void (await Promise.all([...ways.values()].map((way) => way.close())));
  const secrets = [...ways.values()].flatMap((way) => way.secrets);
  return endedBySignals({ request: over('request'), upload: over('upload'), secrets, close });
}

/** The library, and looking for a way, go on until a connection stands or fails, whatever the signal says. */
function endedBySignals(connections: Connections): Connections {
  const { request, upload } = connections;
  return { ...connections, request: endedBySignal(request), upload: endedBySignal(upload) };
}

function endedBySignal(send: SendRequest): SendRequest {
  return async (url, options) => {
    const { signal } = options;
    if (!(signal instanceof AbortSignal)) return send(url, options);
    signal.throwIfAborted();
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const end = () => reject(signal.reason);
    signal.addEventListener('abort', end, { once: true });
    try {
      return await Promise.race([send(url, options), aborted]);
    } finally {
      signal.removeEventListener('abort', end);
    }
  };
}

/** The pools are our own: the shared one may belong to whoever loaded another copy of the library. */
function connectionsOn(route: Route, server: URL): Connections {
  const forwarding = route.proxy && isForwarding(route.proxy, server) ? route.proxy : undefined;
  const connect = forwarding ? toProxy(forwarding, route.connect) : route.connect;
  const alerts = new CertificateAlerts();
  const watched = alerts.watch(connect);
  const requests = new Agent({ allowH2: false, connections: MOST_CONNECTIONS, connect: asConnector(watched) });
  const uploads = new Agent({ allowH2: false, connect: asConnector(keepAnswerAfterBrokenPipe(watched)) });
  const sending = (agent: Agent): SendRequest => {
    const dispatcher = forwarding ? agent.compose(forwardedBy(forwarding)) : agent;
    return (url, options) =>
      dispatcher
        .request({ ...options, origin: url.origin, path: `${url.pathname}${url.search}` })
        .catch((error: unknown) => {
          throw alerts.reasonOf(error);
        });
  };
  return {
    request: sending(requests),
    upload: sending(uploads),
    secrets: secretsOf(route.proxy),
    close: async () => void (await Promise.all([requests.destroy(), uploads.destroy()])),
  };
}

/** The header, and what is in it behind the name of its kind. */
function secretsOf(proxy: ProxyServer | undefined): readonly string[] {
  const header = proxy?.authorization?.trim() ?? '';
  return header === '' ? [] : [header, header.slice(header.lastIndexOf(' ') + 1)];
}

/**
 * A server that does not accept our certificate says so only when the connection seems to stand already, and the library then
 * tells no more than that it ended.
 */
class CertificateAlerts {
  private last: Error | undefined;

  watch(connect: Connect): Connect {
    return async (target) => {
      this.last = undefined;
      const socket = await connect(target);
      socket.on('error', (error) => {
        if (isAboutCertificate(error)) this.last = error;
      });
      return socket;
    };
  }

  reasonOf(error: unknown): unknown {
    return this.last !== undefined && isCutOff(error) ? this.last : error;
  }
}

function asConnector(connect: Connect): buildConnector.connector {
  return (target, callback) => {
    connect(target).then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
}

function toProxy(proxy: ProxyServer, connect: Connect): Connect {
  // The library would ask a proxy with TLS for the certificate of the server, whose name is in the header `Host`.
  return ({ servername: _, ...target }) =>
    connect({ ...target, host: proxy.url.host }).catch((error: unknown) => {
      throw unreachableProxy(proxy, error);
    });
}

/** What has no TLS goes to the proxy as it is, with the whole address in the request line, as proxies have always wanted it. */
function forwardedBy(proxy: ProxyServer): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const server = new URL(String(options.origin));
    const headers = { ...plainHeaders(options.headers), host: server.host, ...authorizationOf(proxy) };
    const path = `${server.origin}${options.path}`;
    return dispatch({ ...options, origin: proxy.url.origin, path, headers }, handler);
  };
}

/** Our sender gives headers as a record, always. */
function plainHeaders(headers: Dispatcher.DispatchOptions['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]));
}

/** How long an answer may still be on its way when the server has stopped taking what we send, in milliseconds. */
const PATIENCE = 1000;

type WriteCallback = (error?: Error | null) => void;

/**
 * Connections for uploads. A server that refuses a file may answer and close before it has taken all of it; the broken pipe is
 * then reported late, so that the answer, which says why, is read first.
 */
function keepAnswerAfterBrokenPipe(connect: Connect): Connect {
  return async (target) => {
    const socket = await connect(target);
    makePatient(socket);
    return socket;
  };
}

function makePatient(socket: Socket): void {
  const write = socket._write.bind(socket);
  socket._write = (chunk, encoding, callback) => write(chunk, encoding, patient(socket, callback));
  const writeAll = socket._writev?.bind(socket);
  if (writeAll) socket._writev = (chunks, callback) => writeAll(chunks, patient(socket, callback));
}

function patient(socket: Socket, callback: WriteCallback): WriteCallback {
  return (error) => {
    if (!error || !isBrokenPipe(error)) {
      callback(error);
      return;
    }
    const timer = setTimeout(() => callback(error), PATIENCE);
    socket.once('close', () => clearTimeout(timer));
  };
}

function isBrokenPipe(error: Error): boolean {
  return 'code' in error && (error.code === 'EPIPE' || error.code === 'ECONNRESET');
}
