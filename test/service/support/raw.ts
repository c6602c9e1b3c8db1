import { connect } from 'node:net';

export interface RawAnswer {
  /** 0 when the connection ended without an answer. */
  readonly status: number;
  readonly text: string;
}

/** Sends bytes as they are and gives all that comes back until the service or `patience` milliseconds end it. */
export function sendRaw(url: string, bytes: string | Buffer, patience = 3_000): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    const done = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text });
    };
    const timer = setTimeout(done, patience);
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('close', done).on('error', done);
    socket.write(bytes);
  });
}

/** A request line and headers, ended with an empty line. */
export function rawHead(...lines: readonly string[]): string {
  return `${lines.join('\r\n')}\r\n\r\n`;
}
