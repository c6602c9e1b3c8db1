import type { IncomingMessage, RequestListener } from 'node:http';
import type { TrackerOptions } from '../../../src/client/http/calls.ts';
import { createTracker, type HttpTracker } from '../../../src/client/tracker/httpTracker.ts';
import type { TrackerError } from '../../../src/core/errors.ts';
import type { Log } from '../../../src/core/log.ts';
import { LocalServer } from './localServer.ts';

export const CANARY = 'canary-5f3a9c1e';

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A server of the test's own that keeps what it was sent. */
export interface TestServer {
  readonly url: string;
  readonly seen: readonly Seen[];
  readonly connections: () => number;
  close(): Promise<void>;
}

/** Starts a server on a free port of this machine; each request is kept in `seen` once its body is complete. */
export async function serve(
  answer: (seen: Seen, respond: Parameters<RequestListener>[1], nth: number) => void,
): Promise<TestServer> {
  const seen: Seen[] = [];
  return listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const entry = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('latin1'),
      };
      seen.push(entry);
      answer(entry, response, seen.length);
    });
  }, seen);
}

/** Starts a server that handles requests as they come, bodies unread. */
export async function listen(listener: RequestListener, seen: readonly Seen[] = []): Promise<TestServer> {
  const server = new LocalServer(listener);
  await server.start();
  const { url } = server;
  return { url, seen, connections: () => server.connections, close: () => server.stop() };
}

/** A tracker that waits for nothing, and all it logged. */
export function trackerFor(
  baseUrl: string,
  options: Partial<TrackerOptions> = {},
): { tracker: HttpTracker; lines: string[]; slept: number[] } {
  const lines: string[] = [];
  const slept: number[] = [];
  const add = (message: string | Error) => void lines.push(String(message));
  const log: Log = { debug: add, info: add, warn: add, error: add };
  const pace = {
    random: () => 0.5,
    sleep: async (milliseconds: number) => {
      slept.push(milliseconds);
    },
  };
  const tracker = createTracker({ baseUrl, token: async () => CANARY, log, pace, ...options });
  return { tracker, lines, slept };
}

/** Everything of an error that could be shown or written down. */
export function everythingIn(error: TrackerError): string {
  const cause =
    error.cause instanceof Error
      ? JSON.stringify({ ...error.cause, message: error.cause.message, stack: error.cause.stack })
      : '';
  return [error.message, error.stack, JSON.stringify(error), JSON.stringify({ ...error }), cause].join('\n');
}
