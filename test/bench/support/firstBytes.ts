import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands between a client and a server and notes when the first byte of each answer of one path was passed on. */
export interface FirstBytes {
  readonly url: string;
  /** Milliseconds since the epoch, in the order of the answers. */
  readonly times: readonly number[];
  /** The bytes of the last answer, as they crossed the wire. */
  readonly bytes: () => number;
  stop(): void;
}

export async function firstBytes(target: string, path: string): Promise<FirstBytes> {
  const { hostname, port, host } = new URL(target);
  const times: number[] = [];
  let bytes = 0;
  const server = createServer((asked, answer) => {
    const headers = { ...asked.headers, host };
    const passed = request({ hostname, port, method: asked.method, path: asked.url, headers }, (received) => {
      answer.writeHead(received.statusCode ?? 502, received.headers);
      if (asked.url?.endsWith(path)) {
        bytes = 0;
        received.once('data', () => times.push(performance.timeOrigin + performance.now()));
        received.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
        });
      }
      received.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own}`,
    times,
    bytes: () => bytes,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
