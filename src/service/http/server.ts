import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { messageOf } from '../../core/errors.ts';
import { Repeats, repeatKey } from '../cache/repeats.ts';
import { Refusal } from '../refusal.ts';
import type { Service } from '../service.ts';
import type { Stamp } from '../store/database.ts';
import { dispatch, isPage } from './dispatch.ts';
import { failureReply } from './failureReply.ts';
import { type GuardRules, guard } from './guard.ts';
import { oncePerTurn } from './oncePerTurn.ts';
import type { PublicUrl } from './publicUrl.ts';
import type { Reply } from './reply.ts';
import type { Sender, TrustedProxies } from './sender.ts';
import { localTarget, readTarget } from './target.ts';
import type { TlsIdentity } from './tls.ts';
import { writeReply } from './writeReply.ts';

export interface ServerRules extends GuardRules {
  readonly host: string;
  readonly port: number;
  /** Empty, or a path that starts with a slash and does not end with one. */
  readonly basePath: string;
  /** How others reach this service, where that is not the way a request came. */
  readonly publicUrl: PublicUrl | undefined;
  readonly proxies: TrustedProxies;
  /** Speaks TLS with it. */
  readonly tls: TlsIdentity | undefined;
  /** Whether each answered request is told to the log, without its query. */
  readonly logsRequests: boolean;
  /** Milliseconds in which the head of a request has to arrive, and before it the greeting of TLS. */
  readonly headTime: number;
  readonly clock: () => number;
}

export interface RunningServer {
  readonly port: number;
  /** From the next connection on; of no use for a server that speaks no TLS. */
  useTls(identity: TlsIdentity): void;
  /** Refuses new requests, waits for those under way, and closes. */
  stop(): Promise<void>;
}

const IDLE_TIMEOUT = 120_000;
const STOP_PATIENCE = 30_000;
const STOP_PACE = 20;
const MAX_CONNECTIONS = 1_000;

export async function startServer(service: Service, rules: ServerRules): Promise<RunningServer> {
  const front = new Front(service, rules);
  const { headTime } = rules;
  const options = { headersTimeout: headTime, requestTimeout: 0, connectionsCheckingInterval: headTime / 3 };
  const answer = (request: IncomingMessage, response: ServerResponse) => void front.answer(request, response);
  const greeting = { minVersion: 'TLSv1.2', handshakeTimeout: headTime } as const;
  const secure = rules.tls && createTlsServer({ ...options, ...rules.tls, ...greeting }, answer);
  const server: Server | TlsServer = secure ?? createServer(options, answer);
  server.on('checkContinue', answer);
  server.maxConnections = MAX_CONNECTIONS;
  server.keepAliveTimeout = IDLE_TIMEOUT;
  server.setTimeout(IDLE_TIMEOUT);
  const connections = new Set<Socket>();
  server.on('connection', (connection) => {
    connections.add(connection);
    connection.on('close', () => connections.delete(connection));
  });
  await listen(server, rules);
  return {
    port: portOf(server),
    useTls: (identity) => secure?.setSecureContext({ ...identity, minVersion: greeting.minVersion }),
    stop: () => stop(server, front, connections),
  };
}

/** Takes every request from the wire to its reply. */
class Front {
  stopping = false;
  private readonly service: Service;
  private readonly rules: ServerRules;
  private readonly invitations = new WeakSet<IncomingMessage>();
  private readonly underWay = new Set<IncomingMessage>();
  private readonly repeats = new Repeats();
  private readonly stamp: () => Stamp | Promise<Stamp>;
  private requests = 0;

  constructor(service: Service, rules: ServerRules) {
    this.service = service;
    this.rules = rules;
    this.stamp = oncePerTurn(service.database.stamp);
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests += 1;
    const id = this.requests;
    const begun = performance.now();
    this.underWay.add(request);
    response.on('error', () => response.destroy()).on('close', () => this.underWay.delete(request));
    request.on('error', () => undefined);
    const reply = await this.reply(request, response, id);
    await writeReply(request, response, reply, this.isBodyComing(request)).catch((error: unknown) => {
      response.destroy();
      if (!isGone(error)) this.logFailure(request, id, messageOf(error));
    });
    if (this.rules.logsRequests) this.logRequest(request, id, reply.status, performance.now() - begun);
  }

  /** Whether a request that came over this connection has not been answered yet. */
  serves(connection: Socket): boolean {
    const { remoteAddress, remotePort } = connection; // What a request came over is another object where TLS is spoken.
    return [...this.underWay].some(
      ({ socket }) => socket.remotePort === remotePort && socket.remoteAddress === remoteAddress,
    );
  }

  private async reply(request: IncomingMessage, response: ServerResponse, id: number): Promise<Reply> {
    try {
      if (this.stopping) throw stoppingRefusal();
      const sender = this.rules.proxies.senderOf(request);
      const now = this.rules.clock();
      const key = repeatKey(request, sender.isPrivate);
      if (key === undefined) return await this.made(request, response, sender, now);
      const known = await this.repeats.get(key, now, this.stamp);
      if (known) return known;
      const reply = await this.made(request, response, sender, now);
      this.repeats.keep(key, now, reply);
      return reply;
    } catch (error) {
      return failureReply(error, (message) => this.logFailure(request, id, message));
    }
  }

  private async made(request: IncomingMessage, response: ServerResponse, sender: Sender, now: number): Promise<Reply> {
    const { service, rules } = this;
    const { publicUrl, basePath } = rules;
    const target = localTarget(request.url ?? '', request.headers.host ?? '');
    const { path, query } = readTarget(target, [basePath, publicUrl?.path ?? basePath]);
    const host = guard(request, rules, isPage(path));
    const base = publicUrl?.href ?? `${rules.tls ? 'https' : 'http'}://${host}${basePath}`;
    const body = (): IncomingMessage => this.invited(request, response);
    const stamp = await this.stamp();
    return dispatch({
      service,
      request,
      body,
      path,
      query,
      base,
      sender: sender.address,
      isPrivate: sender.isPrivate,
      now,
      stamp,
    });
  }

  /** A sender that asked first waits for this before its body, so a refused upload is not even sent. */
  private invited(request: IncomingMessage, response: ServerResponse): IncomingMessage {
    if (request.headers.expect !== undefined) response.writeContinue();
    this.invitations.add(request);
    return request;
  }

  private isBodyComing(request: IncomingMessage): boolean {
    return !request.complete && (request.headers.expect === undefined || this.invitations.has(request));
  }

  private logRequest(request: IncomingMessage, id: number, status: number, duration: number): void {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const ms = Math.round(duration * 10) / 10;
    this.service.log({ event: 'request', request: id, method: request.method ?? '', path, status, ms });
  }

  private logFailure(request: IncomingMessage, id: number, message: string): void {
    if (request.errored) return; // The caller went away or was cut off; that is not a mistake of ours.
    const path = (request.url ?? '').split('?')[0] ?? '';
    this.service.log({ event: 'error', request: id, method: request.method ?? '', path, message });
  }
}

/** True when it was the caller who ended the connection. */
function isGone(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' || code === 'EPIPE';
}

function stoppingRefusal(): Refusal {
  return new Refusal(503, 'This service is stopping. Try again in a moment.', {
    'Retry-After': '2',
    Connection: 'close',
  });
}

function listen(server: Server | TlsServer, { host, port }: ServerRules): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function portOf(server: Server | TlsServer): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('The service does not listen on a port.');
  return address.port;
}

/** Ends connections without a request, those included that never carried one, which Node does not count as idle. */
async function stop(server: Server | TlsServer, front: Front, connections: ReadonlySet<Socket>): Promise<void> {
  front.stopping = true;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const endIdle = (): void => {
    for (const connection of connections) if (!front.serves(connection)) connection.destroy();
  };
  const idle = setInterval(endIdle, STOP_PACE);
  const patience = setTimeout(() => server.closeAllConnections(), STOP_PATIENCE);
  await closed;
  clearInterval(idle);
  clearTimeout(patience);
}
