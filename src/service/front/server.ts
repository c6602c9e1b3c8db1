import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Service } from '../call/service.ts';
import { noteArrival } from '../ground/slices.ts';
import { HeardRequest } from '../http/heardRequest.ts';
import { MOST_LINES } from '../http/requestHeads.ts';
import type { TlsIdentity } from '../http/tls.ts';
import { type FrontFigures, RequestHandler, type RequestRules } from './requestHandler.ts';

interface ServerRules extends Omit<RequestRules, 'isSecure'> {
  readonly host: string;
  readonly port: number;
  /** Speaks TLS with it. */
  readonly tls: TlsIdentity | undefined;
  /** Milliseconds in which the head of a request has to arrive, and before it the greeting of TLS. */
  readonly headTime: number;
}

interface RunningServer {
  readonly port: number;
  figures(): FrontFigures;
  /** From the next connection on; of no use for a server that speaks no TLS. */
  useTls(identity: TlsIdentity): void;
  /** Refuses new requests, waits for those under way, and closes. */
  stop(): Promise<void>;
}

const IDLE_TIMEOUT = 120_000;
const STOP_PATIENCE = 30_000;
const STOP_PACE = 20;
const MAX_CONNECTIONS = 1_000;
/** Of unknown callers over TLS, each of which takes a hundred kilobytes of memory that the system does not get back. */
const MAX_UNKNOWN_SECURE = 500;
/** That are let in before others are closed for them. */
const SPARE_CONNECTIONS = 64;

export async function startServer(service: Service, rules: ServerRules): Promise<RunningServer> {
  const front = new RequestHandler(service, { ...rules, isSecure: rules.tls !== undefined });
  const { headTime } = rules;
  const options = {
    headersTimeout: headTime,
    requestTimeout: 0,
    connectionsCheckingInterval: headTime / 3,
    optimizeEmptyRequests: true,
    // Node itself would answer out of turn.
    requireHostHeader: false,
    IncomingMessage: HeardRequest,
  };
  const answer = (request: IncomingMessage, response: ServerResponse) => front.answer(request, response);
  const greeting = { minVersion: 'TLSv1.2', handshakeTimeout: headTime } as const;
  const secure = rules.tls && createTlsServer({ ...options, ...rules.tls, ...greeting }, answer);
  const server: Server | TlsServer = secure ?? createServer(options, answer);
  server.on('checkContinue', answer).on('checkExpectation', answer);
  server.maxConnections = MAX_CONNECTIONS + SPARE_CONNECTIONS;
  server.maxHeadersCount = MOST_LINES + 1; // What comes beyond, some versions of Node leave out without a word.
  server.keepAliveTimeout = IDLE_TIMEOUT;
  server.setTimeout(IDLE_TIMEOUT);
  const greet = secure && serveInTurn(secure, front);
  server.on('connection', (socket) => {
    noteArrival();
    if (greet) socket.setTimeout(headTime, () => socket.destroy());
    front.connections.add(socket, greet && (() => greet(socket.setTimeout(0))));
    front.connections.closeBeyond(MAX_CONNECTIONS, secure && MAX_UNKNOWN_SECURE);
  });
  await listen(server, rules);
  const readers = setInterval(() => front.cutOffIdleReaders(), rules.readerTime / 6).unref();
  return {
    port: portOf(server),
    figures: () => front.figures(),
    useTls: (identity) => secure?.setSecureContext({ ...identity, minVersion: greeting.minVersion }),
    stop: async () => {
      await stop(server, front);
      clearInterval(readers);
    },
  };
}

/**
 * Node would read the requests of all whose greeting of TLS is over at once, and what came with the end of a greeting in one go. Gives what
 * begins the greeting on a connection, which Node would do by itself.
 */
function serveInTurn(secure: TlsServer, { connections }: RequestHandler): (socket: Socket) => void {
  const greet = taken(secure, 'connection');
  const serve = taken(secure, 'secureConnection');
  secure.on('secureConnection', (socket) => {
    socket.on('error', () => undefined); // Nobody else listens yet.
    connections.secure(socket, () => serve(socket));
  });
  return greet;
}

/** Takes from a server what it does itself with a connection. */
function taken(secure: TlsServer, event: 'connection' | 'secureConnection'): (socket: Socket) => void {
  const listeners = secure.listeners(event);
  secure.removeAllListeners(event);
  return (socket) => {
    for (const listener of listeners) listener.call(secure, socket);
  };
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
async function stop(server: Server | TlsServer, front: RequestHandler): Promise<void> {
  front.stopping = true;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const endIdle = (): void => {
    for (const connection of front.connections.idle) connection.cutOff();
  };
  const idle = setInterval(endIdle, STOP_PACE);
  const patience = setTimeout(() => server.closeAllConnections(), STOP_PATIENCE);
  await closed;
  clearInterval(idle);
  clearTimeout(patience);
}
