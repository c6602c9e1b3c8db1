import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls, type TLSSocket } from 'node:tls';

/** Milliseconds in which a service has to answer a greeting. */
const PATIENCE = 30_000;

/**
 * A caller who greets in TLS up to the last message, keeps that back, and then sends it together with the beginning of a request: what a
 * service reads at once is then the end of the greeting and kilobytes that came after it.
 */
export class HeldGreeting {
  private readonly socket: Socket;
  private readonly port: number;
  private readonly tls: TLSSocket;
  private readonly kept: Buffer[] = [];
  /** All that comes back until the connection ends. */
  readonly answer: Promise<string>;
  private isFirst = true;
  private isHeld = true;

  private constructor(socket: Socket) {
    this.socket = socket.on('error', () => undefined);
    this.port = socket.localPort ?? 0;
    const line = new Duplex({
      read: () => void socket.resume(),
      write: (bytes: Buffer, _, done) => this.pass(bytes, done),
    });
    socket.on('data', (bytes: Buffer) => void (line.push(bytes) || socket.pause()));
    socket.on('close', () => void line.push(null));
    this.tls = connectTls({ socket: line, rejectUnauthorized: false }).on('error', () => undefined);
    this.answer = new Promise((resolve) => {
      let text = '';
      this.tls.on('data', (bytes: Buffer) => {
        text += bytes.toString();
      });
      this.tls.on('end', () => resolve(text)).on('error', () => resolve(text));
    });
  }

  /** Greets up to the last message, and keeps these bytes back with that. */
  static async open(url: string, bytes: Buffer): Promise<HeldGreeting> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const held = new HeldGreeting(socket);
    await once(held.tls, 'secureConnect', { signal: AbortSignal.timeout(PATIENCE) });
    await new Promise((resolve) => held.tls.write(bytes, resolve));
    return held;
  }

  /** Sends all that was kept back. */
  release(): void {
    this.isHeld = false;
    this.socket.write(Buffer.concat(this.kept.splice(0)));
  }

  close(): void {
    this.socket.destroy();
    this.tls.destroy();
  }

  /** Resets the connection, of which a service hears only when it reads what was sent before; gives the port, which is free again. */
  async reset(): Promise<number> {
    this.socket.resetAndDestroy();
    this.tls.destroy();
    if (!this.socket.closed) await once(this.socket, 'close');
    return this.port;
  }

  private pass(bytes: Buffer, done: () => void): void {
    if (this.isHeld && !this.isFirst) this.kept.push(bytes);
    else this.socket.write(bytes);
    this.isFirst = false;
    done();
  }
}
