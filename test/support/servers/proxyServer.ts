import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Identity } from './privateAuthority.ts';

export interface ProxySettings {
  /** The port of this machine where each name, with its port, really is: names that no resolver knows. */
  readonly hosts: Readonly<Record<string, number>>;
  /** Wanted in `Proxy-Authorization`. */
  readonly authorization?: string;
  /** The ways to sign in that it names when it is not given that. */
  readonly schemes?: string;
  /** Refuses every connection so. */
  readonly refuses?: number;
  /** Takes connections and never says a word. */
  readonly isSilent?: boolean;
  readonly identity?: Identity;
  /** Told each connection with TLS. */
  readonly onClient?: (socket: Duplex) => void;
}

export interface TestProxy {
  readonly host: string;
  readonly port: number;
  /** Method and target of each request, in order. */
  readonly seen: readonly string[];
  readonly heads: readonly IncomingMessage['headers'][];
  close(): Promise<void>;
}

/** Starts an HTTP proxy on this machine: tunnels by CONNECT, plain requests forwarded. */
export async function startProxy(settings: ProxySettings): Promise<TestProxy> {
  const seen: string[] = [];
  const heads: IncomingMessage['headers'][] = [];
  const sockets = new Set<Duplex>();
  const server: Server = settings.identity ? createSecureServer(settings.identity) : createServer();
  const note = ({ method, url, headers }: IncomingMessage) => {
    seen.push(`${method} ${url}`);
    heads.push(headers);
  };
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)));
  server.on('secureConnection', (socket: Duplex) => settings.onClient?.(socket));
  server.on('connect', (incoming: IncomingMessage, socket: Duplex) => {
    note(incoming);
    sockets.add(socket.on('error', () => undefined));
    if (settings.isSilent) return;
    const refusal = refusalOf(incoming, settings, incoming.url ?? '');
    const schemes = settings.schemes === undefined ? '' : `proxy-authenticate: ${settings.schemes}\r\n`;
    if (refusal !== undefined) socket.end(`HTTP/1.1 ${refusal} No\r\n${schemes}content-length: 0\r\n\r\n`);
    else tunnel(socket, settings.hosts[incoming.url ?? ''] ?? 0, sockets);
  });
  server.on('request', (incoming: IncomingMessage, response: ServerResponse) => {
    note(incoming);
    if (settings.isSilent) return;
    const url = URL.parse(incoming.url ?? '');
    const refusal = url ? refusalOf(incoming, settings, `${url.hostname}:${url.port || 80}`) : 400;
    if (refusal !== undefined || !url) response.writeHead(refusal ?? 400).end();
    else forward(incoming, response, url, settings);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      for (const socket of sockets) socket.destroy();
      server.close(() => resolve());
    });
  return { host: `127.0.0.1:${port}`, port, seen, heads, close };
}

function refusalOf({ headers }: IncomingMessage, settings: ProxySettings, target: string): number | undefined {
  if (settings.refuses !== undefined) return settings.refuses;
  const { authorization, hosts } = settings;
  if (authorization !== undefined && headers['proxy-authorization'] !== authorization) return 407;
  return hosts[target] === undefined ? 502 : undefined;
}

function tunnel(socket: Duplex, port: number, sockets: Set<Duplex>): void {
  const onward = connect(port, '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    socket.pipe(onward).pipe(socket);
  });
  sockets.add(onward);
  onward.on('error', () => socket.destroy());
}

function forward(incoming: IncomingMessage, response: ServerResponse, url: URL, { hosts }: ProxySettings): void {
  const { 'proxy-authorization': _, ...headers } = incoming.headers;
  const port = hosts[`${url.hostname}:${url.port || 80}`];
  const target = { host: '127.0.0.1', port, method: incoming.method, path: url.pathname + url.search, headers };
  const onward = request(target, (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  incoming.pipe(onward);
}
